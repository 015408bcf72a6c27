"""A bot that plays the obvious: read in two minutes, and a mark for others to beat."""

from __future__ import annotations

from functools import lru_cache

from ..actions import HU, PASS, Action
from ..groups import Group
from ..notation import Hand, Query
from ..scoring import wait_scores
from ..solver import ready_discards
from ..tiles import FACE_COUNT, TILES, IllegalHand, Tile
from ..views import View

__all__ = ["GreedyBot"]

# What a tile is worth in a whole group, in a pair, and in two tiles of a group; alone it is worth nothing.
# The xi of the group count beside, since a win needs them. All found by playing against itself.
IN_GROUP, IN_PAIR, IN_PART, PER_XI = 10.0, 11.0, 3.0, 1.5
SECOND, LAID_OUT = 0.05, 10.0  # the part that a tile's other groups count; what a group on the table gains
KAN = 3  # so many tiles of a face are never divided
CHI = [Group.from_code(code) for code in range(1, 39)]  # every run, 二七十 and 绞
CHI_WITH = [[group for group in CHI if face in group.faces] for face in range(FACE_COUNT)]
PLACE = [7 << 3 * face for face in range(FACE_COUNT)]  # where a packed hand counts a face
NEAR = [sum({PLACE[each] for chi in CHI_WITH[face] for each in chi.faces}) for face in range(FACE_COUNT)]


class GreedyBot:
    """Wins when it can; else waits for what pays most; else keeps the tiles that stand together."""

    name = "greedy"

    def choose(self, view: View) -> Action:
        """One of the legal actions."""
        if HU in view.legal_actions:
            return HU
        judge = Judge(view)
        if view.question == "discard":
            return Action("discard", judge.best_discard(view.query))
        return max(view.legal_actions, key=judge.promise)


class Judge:
    """What hands are worth to the seat that has this view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.source = "self" if view.hand.wang_count else "other"  # with a wang only own draws win
        self.unseen = view.unseen  # counts of the tiles that are still out
        self.gone = sum(PLACE[face] for face in range(FACE_COUNT) if not self.unseen[face])

    def promise(self, action: Action) -> tuple[float, float]:
        """What the hand may win after a pass, a peng or a chi, and how strong it is."""
        query, gain = self.view.after(action), 0.0
        if action != PASS:
            laid = query.exposed[len(self.view.groups) :]
            gain = LAID_OUT + sum(3 * (IN_GROUP + PER_XI * group.xi()) for group in laid)
            query = without(query, self.best_discard(query))
        return self.winnings(query), gain + self.strength(query)

    def best_discard(self, query: Query) -> Tile | None:
        """What to part with; None where no discard is due (a skip)."""
        try:
            ready = ready_discards(query, self.source, self.view.rules)
        except IllegalHand:
            return None
        if ready:
            return max(ready, key=lambda tile: self.winnings(without(query, tile)))
        return min(free_tiles(query), key=lambda tile: self.worth(tile, query), default=None)

    def winnings(self, query: Query) -> float:
        """The payments of all tiles that win next, each as often as it is still out."""
        try:
            scores = wait_scores(query, self.source, self.view.rules)
        except IllegalHand:
            return 0.0
        return sum(self.unseen[tile.face] * (score.payment or 0) for tile, score in scores.items())

    def strength(self, query: Query) -> float:
        """The worth of all tiles that are free to be used."""
        counts = query.hand.counts
        return sum(counts[tile.face] * self.worth(tile, query) for tile in free_tiles(query))

    def worth(self, tile: Tile, query: Query) -> float:
        """What one tile is good for: that depends on those near it only."""
        near = NEAR[tile.face]
        return worth(tile.face, query.hand.packed & near, self.gone & near)


@lru_cache(maxsize=1 << 16)
def worth(face: int, near: int, gone: int) -> float:
    """near: the hand, packed. gone: the places of the faces of which no copy is out."""
    held = [near >> 3 * other & 7 for other in range(FACE_COUNT)]
    uses = [worth_in(group, held, gone) for group in CHI_WITH[face]]
    if held[face] == 2:
        uses.append(IN_PART if gone & PLACE[face] else IN_PAIR + PER_XI * Group("peng", (face,) * 3).xi() / 2)
    return max(uses) + SECOND * sum(uses)


def worth_in(group: Group, held: list[int], gone: int) -> float:
    """What a tile is worth in a group of which the hand holds a part."""
    faces = group.faces
    lacking = {face: faces.count(face) - held[face] for face in faces if faces.count(face) > held[face]}
    if any(held[face] >= KAN for face in faces) or sum(lacking.values()) > 1:
        return 0.0
    if not lacking:
        return IN_GROUP + PER_XI * group.xi()
    return 0.0 if any(gone & PLACE[face] for face in lacking) else IN_PART + PER_XI * group.xi() / 2


def free_tiles(query: Query) -> list[Tile]:
    """The faces of the hand that are not locked in a kan (坎)."""
    return [tile for tile in TILES[:FACE_COUNT] if 0 < query.hand.counts[tile.face] < KAN]


def without(query: Query, tile: Tile | None) -> Query:
    """The hand after a discard."""
    packed = query.hand.packed - (1 << 3 * tile.face if tile else 0)
    return Query(Hand.from_packed(packed), query.exposed)
