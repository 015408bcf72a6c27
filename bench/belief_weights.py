"""Measure the weights of belief again (docs/search.md): python bench/belief_weights.py --hands 3000 --seed 1

Three quick players play. At some decisions the true hands of the two others stand among such as counting
alone imagines, any that nothing certain excludes; the weights measured tell the true ones best.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from paohuzi import Group, _engine, _lookahead, load_rules

FACES = 20
CHI_CODES = range(1, 39)
COPIES = 4
COUNTS = 3  # copies held that have a weight: 1 to 3
DISCARDS = 5  # a hand has weights from the first on; more count as so many
IMAGINED = 40  # hands beside each true one
SHARE = 0.25  # of the decisions
NEWTON_STEPS = 30
BLOCK = 500  # cases at once
HAND = np.dtype([("tiles", "<u8"), ("value", "<f8"), ("is_ready", "<f8")])
FACE_ROWS = ("he has discarded it", "each face near it that he has discarded", "he has not taken it by 碰")
HAND_ROWS = ("for each group's worth of its value", "where it waits for a win")
SAID_BY = ("counting alone", "the weights of faces", "both tables")


@dataclass(frozen=True)
class Weights:
    """struct BeliefWeights. faces: by row and copies held, 0 to 4; hands: by row and discards, 0 to 5."""

    faces: np.ndarray
    hands: np.ndarray

    @classmethod
    def in_use(cls) -> Weights:
        numbers = np.frombuffer(_lookahead.weights_in_use())
        split = len(FACE_ROWS) * (COPIES + 1)
        return cls(numbers[:split].reshape(-1, COPIES + 1), numbers[split:].reshape(-1, DISCARDS + 1))

    @classmethod
    def none(cls) -> Weights:
        used = cls.in_use()
        return cls(np.ones_like(used.faces), np.zeros_like(used.hands))

    def without_hands(self) -> Weights:
        return Weights(self.faces, np.zeros_like(self.hands))

    @property
    def native(self) -> bytes:
        return np.concatenate([self.faces.ravel(), self.hands.ravel()]).tobytes()

    @property
    def logarithms(self) -> np.ndarray:
        """Of both tables, in the order of the features of a decision."""
        return np.concatenate([np.log(self.faces[:, 1 : COUNTS + 1]).ravel(), self.hands[:, 1:].ravel()])


def near_faces() -> np.ndarray:
    """Whether two faces stand in a group of chi together."""
    near = np.zeros((FACES, FACES), bool)
    for code in CHI_CODES:
        faces = list(Group.from_code(code).faces)
        near[np.ix_(faces, faces)] = True
    return near & ~np.eye(FACES, dtype=bool)


NEAR = near_faces().astype(float)


def counts_of(tiles: np.ndarray) -> np.ndarray:
    """The counts of each face, of packed hands."""
    return (tiles[..., None] >> np.arange(0, 3 * FACES, 3, dtype=np.uint64) & np.uint64(7)).astype(int)


@dataclass(frozen=True)
class Decision:
    """Of a seat that is asked, with what it knows of each of the two others."""

    hand: int  # number of the hand of play
    view: bytes
    hands: tuple[int, int, int]
    exposed: tuple[bytes, bytes, bytes]
    is_unseen: np.ndarray  # by face: not all copies are seen
    discards: tuple[int, ...]
    known: np.ndarray  # by player, face and row of the first table: how often it applies

    @classmethod
    def at(cls, table: _engine.Table, hand: int) -> Decision:
        view = table.observe(table.asked)
        others = [(view.seat + step) % 3 for step in (1, 2)]
        given = [
            [face for face, owner, is_discard, *_ in view.appearances if is_discard and owner == other]
            for other in others
        ]
        return cls(
            hand,
            bytes(view),
            table.hands(),
            (table.exposed(0), table.exposed(1), table.exposed(2)),
            counts_of(np.uint64([view.visible]))[0] < COPIES,
            tuple(map(len, given)),
            np.array([known_of(view, *each) for each in zip(others, given, strict=True)]),
        )

    def looks(self, look: _lookahead.Lookahead, weights: Weights, seed: int) -> np.ndarray:
        """The hands of the two others, the true ones first."""
        found = look.looks(self.view, self.hands, self.exposed, weights.native, seed, IMAGINED)
        return np.frombuffer(found, HAND).reshape(IMAGINED + 1, 2)

    def features(self, looks: np.ndarray) -> np.ndarray:
        """By look: how often each weight applies."""
        held = counts_of(looks["tiles"])[..., None] == np.arange(1, COUNTS + 1)
        faces = np.einsum("hpfc,pfr->hrc", held.astype(float), self.known)
        hands = np.zeros((len(looks), len(HAND_ROWS), DISCARDS + 1))
        for player, discards in enumerate(self.discards):
            hands[:, 0, min(discards, DISCARDS)] += looks["value"][:, player]
            hands[:, 1, min(discards, DISCARDS)] += looks["is_ready"][:, player]
        return np.hstack([faces.reshape(len(looks), -1), hands[..., 1:].reshape(len(looks), -1)])

    def log_probability(self, looks: np.ndarray) -> float:
        """Of the true counts, the mean over both players and the faces that are not all seen."""
        counts = counts_of(looks["tiles"])
        same = (counts[1:] == counts[0]).sum(0)
        return float(np.log((same + 0.5) / (IMAGINED + 1))[:, self.is_unseen].mean())


def known_of(view: _engine.View, seat: int, given: list[int]) -> np.ndarray:
    discarded = np.zeros(FACES)
    discarded[given] = 1
    declined = view.declined_peng[seat] >> np.arange(FACES) & 1
    return np.stack([discarded, NEAR @ discarded, declined], axis=1)


def decisions(preset: str, hands: int, seed: int) -> Iterator[Decision]:
    rules, random = load_rules(preset).native, Random(seed)
    look = _lookahead.Lookahead(rules)
    for hand in range(hands):
        table = _engine.Table(rules)
        table.deal_seed(random.getrandbits(63))
        while not table.is_over:
            if table.question != "shown_hu" and random.random() < SHARE:
                yield Decision.at(table, hand)
            table.apply(look.quick_action(bytes(table.observe(table.asked)), random.getrandbits(63)))


@dataclass(frozen=True)
class Fit:
    """Logarithms of weights, and how they err; nan where nothing depends on a weight."""

    values: np.ndarray
    errors: np.ndarray


def fit(cases: np.ndarray, hands: np.ndarray) -> Fit:
    """The greatest likelihood of the first row of each case among all its rows, by Newton's steps.

    cases: features by case, row and weight. hands: of the cases; those of one hand depend on each other.
    """
    used = np.ptp(cases, axis=1).any(0)
    values = np.zeros(used.sum())
    for _ in range(NEWTON_STEPS):
        slopes, bends = slopes_and_bends(cases[..., used], values)
        step = np.linalg.solve(bends, slopes.sum(0))
        values += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-4:
            break
    by_hand = np.zeros((hands.max() + 1, len(values)))
    np.add.at(by_hand, hands, slopes)
    inverse = np.linalg.inv(bends)
    found = Fit(*np.full((2, len(used)), np.nan))
    found.values[used] = values
    found.errors[used] = np.sqrt(np.diag(inverse @ (by_hand.T @ by_hand) @ inverse))
    return found


def slopes_and_bends(cases: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the logarithm of the likelihood: how it rises by case, and how the sum bends."""
    means, bends = np.empty((len(cases), len(values))), np.zeros((len(values), len(values)))
    for start in range(0, len(cases), BLOCK):
        some = cases[start : start + BLOCK].astype(float)
        logits = some @ values
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        weighted = some * chances[..., None]
        means[start : start + BLOCK] = weighted.sum(1)
        bends += weighted.reshape(-1, len(values)).T @ some.reshape(-1, len(values))
    return cases[:, 0] - means, bends - means.T @ means


@dataclass(frozen=True)
class Measured:
    """log_probabilities: of the true counts of a face, by what SAID_BY names."""

    weights: Fit
    log_probabilities: np.ndarray
    decisions: int


def measure(preset: str, hands: int, seed: int) -> Measured:
    look, used = _lookahead.Lookahead(load_rules(preset).native), Weights.in_use()
    cases, places, said = [], [], []
    for number, decision in enumerate(decisions(preset, hands, seed)):
        looks = [
            decision.looks(look, weights, number) for weights in (Weights.none(), used.without_hands(), used)
        ]
        cases.append(decision.features(looks[0]).astype(np.float32))
        places.append(decision.hand)
        said.append([decision.log_probability(each) for each in looks])
    return Measured(fit(np.array(cases), np.array(places)), np.mean(said, 0), len(cases))


def table(heads: list[str], rows: tuple[str, ...], cells: list[str]) -> list[str]:
    width = max(map(len, FACE_ROWS))
    lines = [" " * width + "".join(f"{head:>22}" for head in heads)]
    for place, row in enumerate(rows):
        some = cells[place * len(heads) : (place + 1) * len(heads)]
        lines.append(f"{row:{width}}" + "".join(f"{cell:>22}" for cell in some))
    return lines


def lines_of(measured: Measured) -> list[str]:
    """Both tables, measured values with their standard errors and beside them those in use."""
    fitted, used = measured.weights, Weights.in_use().logarithms
    split = len(FACE_ROWS) * COUNTS
    values, known = np.concatenate(
        [np.exp([fitted.values, used])[:, :split], [fitted.values[split:], used[split:]]], 1
    )
    errors = fitted.errors * np.concatenate([values[:split], np.ones(len(used) - split)])
    cells = [
        "–" if np.isnan(value) else f"{value:.3f} ± {error:.3f} ({in_use:.3f})"
        for value, error, in_use in zip(values, errors, known, strict=True)
    ]
    faces = table([str(count + 1) for count in range(COUNTS)], FACE_ROWS, cells[:split])
    heads = [*map(str, range(1, DISCARDS)), f"{DISCARDS} or more"]
    said = zip(measured.log_probabilities, SAID_BY, strict=True)
    return [
        "by copies held: measured ± standard error (in use)",
        *faces,
        "",
        "by discards made, of the logarithm of the weight of a hand",
        *table(heads, HAND_ROWS, cells[split:]),
        "",
        "mean logarithm of the probability of the true counts, a face",
        *(f"{number:8.3f} by {what}" for number, what in said),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=3000, help="of play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="qq-half", help="name of a preset")
    given = parser.parse_args()
    measured = measure(given.rules, given.hands, given.seed)
    print(f"{given.rules}, {given.hands:,} hands, {measured.decisions:,} decisions")
    print(*lines_of(measured), sep="\n")


if __name__ == "__main__":
    main()
