"""Another hand of play that a seat cannot tell from its own: other hidden tiles, dealt from the start, and
the same play again."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from random import Random

from engine_games import held_faces

from paohuzi import IllegalHand, _engine
from paohuzi._lookahead import Lookahead
from paohuzi.actions import PASS, Action
from paohuzi.deals import Deal
from paohuzi.game import Game
from paohuzi.notation import Hand
from paohuzi.tiles import TILES

SEATS = range(3)
BITS = 3  # of a face in a packed hand
WEI_CODE = 99
HIDDEN = 255

Hidden = tuple[tuple[int, ...], tuple[bytes, ...], bytes]  # hands and exposed groups by seat, the wall
Point = tuple[int, int, str]  # how many tiles have appeared, the seat that is asked, 0 the dealer, and what


lookahead = lru_cache(Lookahead)


def tile(face: int) -> int:
    return 1 << BITS * face


class PlayedHand:
    """A game that goes on, as the asked seat sees it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = _engine.Table(game.rules.native)
        self.table.deal(*game.deal.native)
        self.taken: dict[Point, Action] = {}  # all that was done but passing
        for action in game.line:
            if action.kind != "pass":
                self.taken[self.point] = action
            self.table.apply(action.number)
        self.view = self.table.observe(self.table.asked)
        self.look = lookahead(game.rules.native)

    @property
    def point(self) -> Point:
        return len(self.table.observe(0).appearances), self.table.asked, self.table.question

    @property
    def hidden(self) -> Hidden:
        return self.table.hands(), tuple(map(self.table.exposed, SEATS)), self.table.wall()

    def imagined(self, seed: int, count: int) -> list[Hidden]:
        return self.look.sample(bytes(self.view), seed, count)

    def swapped(self, random: Random) -> Hidden:
        """The true tiles, but for two that have changed places: one of another's hand, and one of the third
        hand or of what is not known of the wall."""
        hands, exposed, wall = self.hidden
        changed, rest = list(hands), bytearray(wall)
        one, other = random.sample([seat for seat in SEATS if seat != self.view.seat], 2)
        unknown = [place for place, face in enumerate(self.view.wall) if face is None]
        kept = held_faces(hands[other])
        if not hands[one] or not (kept or unknown):
            return self.hidden
        gone, place = random.choice(held_faces(hands[one])), random.randrange(len(kept) + len(unknown))
        if place < len(kept):
            come = kept[place]
            changed[other] += tile(gone) - tile(come)
        else:
            place = unknown[place - len(kept)]
            come, rest[place] = rest[place], gone
        changed[one] += tile(come) - tile(gone)
        return tuple(changed), exposed, bytes(rest)

    def is_all_other(self, hidden: Hidden) -> bool:
        """Whether both other hands and the wall differ from the true ones."""
        hands, _, wall = hidden
        others = [seat for seat in SEATS if seat != self.view.seat]
        return wall != self.table.wall() and all(hands[seat] != self.table.hands()[seat] for seat in others)

    def with_hidden(self, hidden: Hidden) -> Game | None:
        """The same play with these tiles hidden; None when the seat would not see what it sees."""
        try:
            other = self.played_again(self.deal_with(hidden))
        except IllegalHand:
            return None
        is_same = other is not None and other.observe(other.asked).seen == self.view
        return other if is_same else None

    def deal_with(self, hidden: Hidden) -> Deal:
        """What was dealt if these are the hidden tiles now. Raises IllegalHand when nothing could be."""
        hands, exposed, rest = hidden
        dealt, shown, wall = self.game.deal.native
        reds = moved_reds(self.game)
        drawn, changed = bytearray(wall[-reds:] + wall[:-reds] if reds else wall), list(dealt)
        for seat in SEATS:
            changed[seat] += hands[seat] - self.table.hands()[seat]
            for place, true, other in self.weis(seat, exposed):
                changed[seat] += 2 * (tile(other) - tile(true))
                drawn[place] = other
        drawn[len(drawn) - len(rest) :] = rest
        if self.view.shown is None:  # any tile of the dealer may be it
            dealers = changed[0] + tile(shown)
            shown = held_faces(dealers)[-1]
            changed[0] = dealers - tile(shown)
        first, second, third = map(Hand.from_packed, changed)
        return Deal(
            (first, second, third), TILES[shown], tuple(TILES[face] for face in drawn[reds:] + drawn[:reds])
        )

    def weis(self, seat: int, exposed: tuple[bytes, ...]) -> Iterator[tuple[int, int, int]]:
        """Of a seat's hidden wei: the place in the wall of the tile drawn, the true face, and the other."""
        draws = [face for face, _, is_discard, *_ in self.view.appearances if not is_discard]
        owners = [owner for _, owner, is_discard, *_ in self.view.appearances if not is_discard]
        places = [place for place, face in enumerate(draws) if face is None and owners[place] == seat]
        seen = self.view.exposed(seat)
        codes = [
            (true - WEI_CODE, other - WEI_CODE)
            for true, other, code in zip(self.table.exposed(seat), exposed[seat], seen, strict=True)
            if code == HIDDEN
        ]
        return ((place, *faces) for place, faces in zip(places, codes, strict=True))

    def played_again(self, deal: Deal) -> Game | None:
        """A game of the deal in which all do the same, and pass where it was not theirs to choose."""
        other = Game(self.game.rules, deal=deal, dealer=self.game.dealer, scores=self.game.scores)
        while other.asked is not None:
            view = other.observe(other.asked)
            point = len(view.appearances), other.playing.index(other.asked), other.question
            if point == self.point:
                return other
            action = self.taken.get(point, PASS)
            if action not in view.legal_actions:
                return None
            other.apply(action)
        return None


def moved_reds(game: Game) -> int:
    """How many tiles are moved from the end of the wall to its top (docs/rules.md 4.12)."""
    if not (game.rules.seats == 4 and game.rules.shown_hidden):
        return 0
    return len(list(takewhile(lambda last: last.is_red, reversed(game.deal.wall))))
