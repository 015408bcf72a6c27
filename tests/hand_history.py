"""Plain hindsight: goes back through a hand of play and says what hidden tiles could not have been.

Events are those of an _engine.Table; `hands` and `exposed`, by seat, are how a hand ends or stands now.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine_games import held_faces

from paohuzi import Group

SEATS = range(3)
WANG = 20
TAKING = ("chi", "peng", "wei", "ti", "pao")


@dataclass(frozen=True)
class Happening:
    kind: str
    seat: int
    face: int
    codes: tuple[int, ...]
    is_dealt: bool

    @classmethod
    def of(cls, event: Sequence) -> "Happening":
        kind, seat, _, face, code, first, second, _, is_dealt, _ = event
        codes = tuple(each for each in (code, first, second) if each) if kind != "pass" else ()
        return cls(kind, seat, face, codes, is_dealt)


class Hindsight:
    """One way that the hidden tiles may be, and how it came to it."""

    def __init__(
        self,
        events: list[Happening],
        hands: Sequence[int],
        exposed: Sequence[bytes],
        *,
        is_asked_late: bool,
        peng_forced: bool,
        peng_dies: bool,
    ) -> None:
        self.events = events
        self.hands = [Counter(held_faces(hand)) for hand in hands]
        self.weis = [[code - 99 for code in codes if 99 <= code < 119] for codes in exposed]
        self.is_asked_late = is_asked_late  # the last tile was not taken by a quad
        self.peng_forced = peng_forced
        self.peng_dies = peng_dies
        self.laid: list[tuple[int, int]] = []  # seat and face of the wei that are still to come

    def contradictions(self) -> Iterator[str]:
        for place in range(len(self.events) - 1, -1, -1):
            event = self.events[place]
            if event.kind in TAKING:
                yield from self.untake(event, place)
            elif event.kind in ("draw", "discard"):
                yield from self.unappear(event, self.fate(place))
        yield from self.undeal()

    def fate(self, place: int) -> str:
        for event in self.events[place + 1 :]:
            if event.kind in (*TAKING, "hu"):
                return event.kind
            if event.kind in ("draw", "discard"):
                return "lies"
        return "lies" if self.is_asked_late else "open"

    # --- what a player took in ---

    def untake(self, event: Happening, place: int) -> Iterator[str]:
        hand, face = self.hands[event.seat], event.face
        if event.is_dealt:
            return
        is_all_kan = all(count % 3 == 0 for each, count in hand.items() if each != WANG)
        if self.had_nothing_to_discard(event, place) and not is_all_kan:
            yield f"{event} without a discard"
        if event.kind == "chi":
            yield from self.unchi(event)
        elif event.kind in ("peng", "wei"):
            face = self.face_of_wei(event) if event.kind == "wei" else face
            if hand[face]:
                yield f"{event} with more than a pair"
            hand[face] += 2
        elif not self.was_exposed(event, place):
            if hand[face]:
                yield f"{event} with more than a kan"
            hand[face] += 3

    def unchi(self, event: Happening) -> Iterator[str]:
        hand = self.hands[event.seat]
        if hand[event.face]:
            yield f"{event} leaves a tile like it"
        tiles = Counter(face for code in event.codes for face in Group.from_code(code).faces)
        tiles[event.face] -= 1
        for face, count in tiles.items():
            hand[face] += count
            if count and hand[face] > 2:
                yield f"{event} breaks a kan"

    def face_of_wei(self, event: Happening) -> int:
        """As the hidden groups have it; they are in the order in which they came."""
        weis = self.weis[event.seat]
        is_hidden = 99 <= event.codes[0] < 119 and not self.has_grown(event)
        face = weis.pop() if is_hidden else event.face
        if is_hidden:
            self.laid.append((event.seat, face))
        return face

    def has_grown(self, event: Happening) -> bool:
        return any(
            each.kind in ("ti", "pao") and (each.seat, each.face) == (event.seat, event.face)
            for each in self.events
        )

    def was_exposed(self, event: Happening, place: int) -> bool:
        return any(
            each.kind in ("peng", "wei") and (each.seat, each.face) == (event.seat, event.face)
            for each in self.events[:place]
        )

    def had_nothing_to_discard(self, event: Happening, place: int) -> bool:
        later = self.events[place + 1 :]
        if not later or (later[0].kind, later[0].seat) != ("skip", event.seat):
            return False
        before = self.events[: place + 1]
        quads = [each for each in before if each.kind in ("ti", "pao") and each.seat == event.seat]
        if event.kind in ("ti", "pao"):
            return len(quads) < 2
        dealt = sum(each.is_dealt for each in quads)
        skips = sum((each.kind, each.seat) == ("skip", event.seat) for each in before)
        return not (event.seat != 0 and dealt >= 2 and skips == len(quads) - dealt)

    # --- a tile that lay open ---

    def unappear(self, event: Happening, fate: str) -> Iterator[str]:
        face, is_drawn = event.face, event.kind == "draw"
        if fate in ("lies", "chi", "peng") and face != WANG:
            for seat in SEATS:
                if seat != event.seat or is_drawn:
                    yield from self.unclaimed(seat, event, fate)
        if not is_drawn:
            self.hands[event.seat][face] += 1
            if self.hands[event.seat][face] > 2:
                yield f"{event} from a kan"

    def unclaimed(self, seat: int, event: Happening, fate: str) -> Iterator[str]:
        hand, face = self.hands[seat], event.face
        held = hand[face]
        if held == 3 or face in self.weis[seat]:
            yield f"{event}: seat {seat} would have made a quad"
        if held == 2 and seat == event.seat:
            yield f"{event}: it would have made a wei"
        has_more = any(0 < count < 3 for each, count in hand.items() if each not in (face, WANG))
        if held == 2 and seat != event.seat and fate != "peng" and has_more:
            if self.peng_forced:
                yield f"{event}: seat {seat} would have had to take it"
            if self.peng_dies and (seat, face) in self.laid:
                yield f"{event}: the wei of seat {seat} would have been a chouwei"

    def undeal(self) -> Iterator[str]:
        for seat in SEATS:
            quads = sum(event.is_dealt and event.seat == seat for event in self.events)
            counts = [count for face, count in self.hands[seat].items() if face != WANG]
            if any(count > 3 for count in counts) and self.events:
                yield f"seat {seat} would have laid out a dealt quad"
            quads += sum(count == 4 for count in counts)
            kans = sum(count == 3 for count in counts)
            if quads >= 3 or quads + kans >= 5:
                yield f"seat {seat} would have had forced heaven"
