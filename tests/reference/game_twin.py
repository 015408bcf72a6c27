"""A plain engine: one hand of play, told in the order of docs/rules.md 4.

The hand is one generator. It yields each question as (seat, actions), is sent the answer, and ends by raising
HandOver. A step that takes a tile in returns the seat that draws next.
"""

from collections.abc import Generator
from functools import lru_cache
from typing import Any

from .chi_twin import ChiAction, action_text, chi_actions, free_tiles, tiles_of_hand
from .notation_twin import WANG, Query, Tiles, format_group, parse_tiles, tile_name
from .score_twin import score
from .solver_twin import Options, best_xi, is_heaven
from .table_twin import (
    DEALER,
    NEXT,
    PREVIOUS,
    SEATS,
    Player,
    parse_deal,
    query_text,
    seat_after,
    table_rules,
    with_last_tile_shown,
)

Question = tuple[int, list[str]]
Asking = Generator[Question, str, None]  # a step that may ask
Turn = Generator[Question, str, int]  # the same, returning the seat that draws next
Claim = Generator[Question, str, int | None]  # the same, returning who took the tile


@lru_cache(maxsize=200_000)
def is_win(query: Query, options: Options) -> bool:
    xi = best_xi(query, options)
    return xi is not None and xi >= options.min_xi


class HandOver(Exception):
    def __init__(self, end: dict[str, Any]) -> None:
        self.end = end


class Game:
    """One hand of a preset: `asked` has the choice among `actions` until `end` is there.

    The deal is a game line or a part of one; `switches` change fields of the preset's TableRules.
    """

    def __init__(self, preset: str, deal: dict[str, Any], seats: int = 3, **switches: Any) -> None:
        self.preset = preset
        self.rules = table_rules(preset, **switches)
        self.options = self.rules.options
        start = parse_deal(deal)
        self.players = [Player(list(hand)) for hand in start.hands]
        self.shown = start.shown
        self.is_shown_hidden = self.rules.shown_hidden and seats == 4
        self.wall = with_last_tile_shown(start.wall) if self.is_shown_hidden else start.wall
        self.lying: list[tuple[int, int]] = []  # tiles nobody took, with the seat they lie before
        self.discard_count = 0
        self.draw_count = 0
        self.events: list[dict[str, Any]] = []
        self.asked: int | None = None
        self.actions: list[str] = []
        self.end: dict[str, Any] | None = None
        self._steps = self._whole_hand()
        self._go_on(None)

    def apply(self, action: str) -> None:
        if action not in self.actions:
            raise ValueError(f"expected one of {self.actions} from seat {self.asked}, got {action!r}")
        self._go_on(action)

    def _go_on(self, answer: str | None) -> None:
        try:
            self.asked, self.actions = next(self._steps) if answer is None else self._steps.send(answer)
        except HandOver as over:
            self.asked, self.actions, self.end = None, [], over.end

    def _tell(self, event: str, seat: int, tile: int | None = None, **more: Any) -> None:
        self.events.append({"type": event, "actor": seat, "tile": tile and tile_name(tile), **more})

    # The opening, 4.2

    def _whole_hand(self) -> Asking:
        self._forced_heaven()
        yield from self._wins_on_shown_tile()
        self._lay_dealt_quads()
        if self.players[DEALER].quad_count >= 2:
            drawer = NEXT
        else:
            drawer = yield from self._discard(DEALER)
        while True:
            drawer = yield from self._draw(drawer)

    def _forced_heaven(self) -> None:
        for seat in SEATS:
            shown = [self.shown] if seat == DEALER else []
            if is_heaven(tuple(sorted(self.players[seat].hand + shown))):
                raise HandOver({"type": "hu", "seat": seat, "tile": None, "source": "dealt"})

    def _wins_on_shown_tile(self) -> Asking:
        yield from self._ask_hu(DEALER, None, "dealt", shown_tile=True, dealer=True)
        if self.shown != WANG and not self.is_shown_hidden:
            for seat in (NEXT, PREVIOUS):
                yield from self._ask_hu(seat, self.shown, "other", shown_tile=True)

    def _lay_dealt_quads(self) -> None:
        self.players[DEALER].hand.append(self.shown)
        for seat in SEATS:
            player = self.players[seat]
            for quad in player.dealt_quads:
                self._tell("ti", seat, quad.faces[0])
            player.lay_dealt_quads()
            player.owes_skip = seat != DEALER and player.quad_count >= 2

    # A tile appears, 4.3

    def _draw(self, seat: int) -> Turn:
        if not self.wall:
            raise HandOver({"type": "draw", "pay": self._wang_penalty()})
        tile = self.wall.pop(0)
        self.draw_count += 1
        player = self.players[seat]
        makes_ti = tile != WANG and player.makes_quad_of_own(tile)
        makes_wei = tile != WANG and player.held(tile) == 2
        self._tell("draw", seat, tile, shown=not makes_ti and not makes_wei)
        if tile == WANG:
            return (yield from self._drawn_wang(seat))
        if makes_ti:
            return (yield from self._drawn_ti(seat, tile))
        if makes_wei:
            return (yield from self._drawn_wei(seat, tile))
        return (yield from self._drawn_tile_shown(seat, tile))

    def _drawn_wang(self, seat: int) -> Turn:
        yield from self._ask_hu(seat, WANG, "self")
        self.players[seat].hand.append(WANG)
        return (yield from self._after_taking_in(seat))

    def _drawn_ti(self, seat: int, tile: int) -> Turn:
        yield from self._ask_hu(seat, tile, "self", bars=False)
        self.players[seat].lay_quad("ti", tile)
        self._tell("ti", seat, tile)
        return (yield from self._after_quad(seat))

    def _drawn_wei(self, seat: int, tile: int) -> Turn:
        yield from self._ask_hu(seat, tile, "self", bars=False)
        player = self.players[seat]
        kind = "chouwei" if tile in player.dead_for_peng else "wei"
        player.lay_triplet(kind, tile)
        self._tell(kind, seat, tile)
        return (yield from self._after_taking_in(seat))

    def _drawn_tile_shown(self, drawer: int, tile: int) -> Turn:
        others = [seat_after(drawer), seat_after(seat_after(drawer))]
        yield from self._ask_hu(drawer, tile, "self")
        for seat in others:
            yield from self._ask_hu(seat, tile, "other")
        for seat in SEATS:
            runs_on_peng = self.players[seat].has_exposed(tile, "peng")
            if runs_on_peng or (seat != drawer and self.players[seat].makes_quad_of_own(tile)):
                return (yield from self._pao(seat, tile))
        return (yield from self._offer(tile, drawer, chi_seats=[drawer, others[0]]))

    def _discard(self, discarder: int) -> Turn:
        player = self.players[discarder]
        names = [tile_name(tile) for tile in player.discardable]
        answer = yield discarder, [f"discard {name}" for name in names]
        tile = parse_tiles(answer.removeprefix("discard "))[0]
        player.hand.remove(tile)
        self.discard_count += 1
        self._tell("discard", discarder, tile)
        return (yield from self._discarded_tile(discarder, tile))

    def _discarded_tile(self, discarder: int, tile: int) -> Turn:
        others = [seat_after(discarder), seat_after(seat_after(discarder))]
        dead = self.rules.dead
        self.players[discarder].kill(tile, dead.discarded_for_chi, dead.discarded_for_peng)
        if self.options.discards_win:
            for seat in others:
                yield from self._ask_hu(seat, tile, "discard", first_discard=self._opens_hand(seat))
        for seat in others:
            if self.players[seat].makes_quad_of_own(tile):
                return (yield from self._pao(seat, tile))
        return (yield from self._offer(tile, discarder, chi_seats=others[:1]))

    def _opens_hand(self, seat: int) -> bool:
        """Whether the tile is the dealer's discard that opens the hand, for the player after the dealer."""
        return seat == NEXT and self.discard_count == 1 and self.draw_count == 0

    def _pao(self, seat: int, tile: int) -> Turn:
        self.players[seat].lay_quad("pao", tile)
        self._tell("pao", seat, tile)
        return (yield from self._after_quad(seat))

    # Peng and chi, 4.3, 4.6, 4.7

    def _offer(self, tile: int, owner: int, chi_seats: list[int]) -> Turn:
        """Peng, then chi by the seats in turn, else the player after the owner of the tile draws."""
        passed_peng: list[int] = []
        passed_chi: list[int] = []
        taker = yield from self._ask_peng(tile, owner, passed_peng)
        if taker is None:
            taker = yield from self._ask_chi(tile, chi_seats, passed_chi)
        self._settle_passes(tile, [seat for seat in passed_peng if seat != taker], passed_chi)
        if taker is None:
            self.lying.append((owner, tile))
            return seat_after(owner)
        return (yield from self._after_taking_in(taker))

    def _ask_peng(self, tile: int, owner: int, passed: list[int]) -> Claim:
        for seat in SEATS:
            player = self.players[seat]
            is_dead = tile in player.dead_for_peng
            if seat == owner or player.held(tile) != 2 or is_dead or not self._may_lay(seat, (tile, tile)):
                continue
            is_forced = self.rules.peng_forced
            answer = "peng" if is_forced else (yield seat, ["peng", "pass"])
            if answer == "peng":
                player.lay_triplet("peng", tile)
                self._tell("peng", seat, tile, forced=is_forced)
                return seat
            self._tell("pass", seat, tile, on="peng")
            passed.append(seat)
        return None

    def _ask_chi(self, tile: int, seats: list[int], passed: list[int]) -> Claim:
        for seat in seats:
            choices = self._chi_choices(seat, tile)
            if not choices:
                continue
            answer = yield seat, [*choices, "pass"]
            if answer != "pass":
                self._lay_chi(seat, tile, choices[answer])
                return seat
            self._tell("pass", seat, tile, on="chi")
            passed.append(seat)
        return None

    def _chi_choices(self, seat: int, tile: int) -> dict[str, ChiAction]:
        player = self.players[seat]
        if tile in player.dead_for_chi:
            return {}
        actions = chi_actions(player.hand, tile)
        return {
            action_text(action): action
            for action in actions
            if self._may_lay(seat, tiles_of_hand(action, tile))
        }

    def _may_lay(self, seat: int, tiles: Tiles) -> bool:
        """Whether a discard is left for after these tiles are laid out, or none has to follow (4.4)."""
        player = self.players[seat]
        return player.owes_skip or len(free_tiles(player.hand)) > len(tiles)

    def _lay_chi(self, seat: int, tile: int, action: ChiAction) -> None:
        player = self.players[seat]
        player.take_out(tiles_of_hand(action, tile))
        player.exposed += action
        self._tell("chi", seat, tile, groups=[format_group(group) for group in action])

    def _settle_passes(self, tile: int, passed_peng: list[int], passed_chi: list[int]) -> None:
        dead = self.rules.dead
        for seat in passed_peng:
            self.players[seat].kill(tile, dead.passed_peng_for_chi, dead.passed_peng_for_peng)
        for seat in passed_chi:
            self.players[seat].kill(tile, dead.passed_chi_for_chi, dead.passed_chi_for_peng)

    # After taking a tile in, 4.4

    def _after_taking_in(self, seat: int) -> Turn:
        player = self.players[seat]
        player.has_taken_in = True
        if player.owes_skip:
            player.owes_skip = False
            return seat_after(seat)
        return (yield from self._discard_if_any(seat))

    def _after_quad(self, seat: int) -> Turn:
        self.players[seat].has_taken_in = True
        if self.players[seat].quad_count >= 2:
            return seat_after(seat)
        return (yield from self._discard_if_any(seat))

    def _discard_if_any(self, seat: int) -> Turn:
        if not self.players[seat].discardable:
            return seat_after(seat)
        return (yield from self._discard(seat))

    # Wins and ends, 4.8 to 4.10

    def _ask_hu(self, seat: int, tile: int | None, source: str, bars: bool = True, **context: bool) -> Asking:
        """Hu or pass, if the player may win; a pass bars the face. `bars`: whether 4.8 can apply."""
        player = self.players[seat]
        if not self._can_win(seat, tile, source) or (bars and self._is_barred(seat, tile)):
            return
        answer = yield seat, ["hu", "pass"]
        if answer == "hu":
            self._tell("hu", seat, tile)
            raise HandOver(self._won(seat, tile, source, context))
        self._tell("pass", seat, tile, on="hu")
        if tile is not None:
            player.passed_wins[tile] = player.exposed_xi(self.options)

    def _can_win(self, seat: int, tile: int | None, source: str) -> bool:
        hand = self.players[seat].hand + ([self.shown] if source == "dealt" else [])
        wangs = hand.count(WANG)
        if wangs and source in ("other", "discard"):
            return False
        if self.is_shown_hidden and self._is_last_of_wall(source):
            return False
        naturals = tuple(sorted(held for held in hand if held != WANG))
        exposed = tuple(sorted(self.players[seat].exposed))
        asked_source = None if source == "dealt" else source
        return is_win(Query(naturals, wangs, exposed, tile, asked_source), self.options)

    def _is_last_of_wall(self, source: str) -> bool:
        """Whether the tile in question is the wall's last one; at the opening there still is a wall."""
        return source in ("self", "other") and not self.wall

    def _is_barred(self, seat: int, tile: int | None) -> bool:
        player = self.players[seat]
        return tile in player.passed_wins and player.passed_wins[tile] == player.exposed_xi(self.options)

    def _won(self, seat: int, tile: int | None, source: str, context: dict[str, bool]) -> dict[str, Any]:
        player = self.players[seat]
        hand = player.hand + ([self.shown] if source == "dealt" else [])
        context["last_tile"] = self._is_last_of_wall(source)
        context["untouched"] = not player.has_taken_in
        text = query_text(hand, player.exposed, tile, source)
        worth = score(text, self.preset, {key: True for key, is_so in context.items() if is_so})
        assert worth is not None, f"seat {seat} may win with {text}, but the score knows no win"
        payment = worth["payment"]
        pay = [2 * payment if each == seat else -payment for each in SEATS]
        name = None if tile is None else tile_name(tile)
        return {"type": "hu", "seat": seat, "tile": name, "source": source, "xi": worth["xi"], "pay": pay}

    def _wang_penalty(self) -> list[int]:
        """Each holder of wangs pays 5 for each of them to each player who has none."""
        held = [player.held(WANG) for player in self.players]
        without_any = held.count(0)
        return [-5 * count * without_any if count else 5 * sum(held) for count in held]
