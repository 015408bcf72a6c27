"""The random hands: distinct, seeded, and of the kind they are called."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from reference import solver_twin as twin

from paohuzi import batch, load_rules, preset_names, samples
from paohuzi.batch import Queries
from paohuzi.deals import Deal, hand_seed
from paohuzi.groups import EXPOSED_CODES
from paohuzi.notation import Query
from paohuzi.query_texts import query_texts

ROOT = Path(__file__).resolve().parent.parent
GENERATORS: dict[str, Callable[..., Any]] = {
    "random_deals": samples.random_deals,
    "random_deals, wang": lambda count, seed=0: samples.random_deals(count, tiles=20, wang=4, seed=seed),
    "winning_hands": samples.winning_hands,
    "near_misses": samples.near_misses,
    "wang_hands": lambda count, seed=0: samples.wang_hands(count, 3, seed=seed),
    "waiting_hands": samples.waiting_hands,
    "waiting_hands, wang": lambda count, seed=0: samples.waiting_hands(count, wang=4, seed=seed),
    "mid_game": samples.mid_game,
    "mid_game, wang": lambda count, seed=0: samples.mid_game(count, wang=2, seed=seed),
    "played_states": samples.played_states,
    "played_states, wang": lambda count, seed=0: samples.played_states(count, rules="yongzhou-4", seed=seed),
}
every_generator = pytest.mark.parametrize("name", GENERATORS)


def rows_of(hands: npt.NDArray[np.uint64] | Queries) -> list[bytes]:
    """Each hand or query as bytes."""
    return [row.tobytes() for row in (hands.records if isinstance(hands, Queries) else hands)]


def copies(hands: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """The counts of the 20 faces."""
    return batch.unpack(hands)[:, :20]


def wangs(hands: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    return batch.unpack(hands)[:, 20]


def without_win(queries: Queries) -> Queries:
    return Queries(queries.hand, queries.exposed)


@every_generator
def test_hands_are_distinct_and_as_many_as_asked(name: str) -> None:
    rows = rows_of(GENERATORS[name](20_000))  # more than one chunk
    assert len(rows) == len(set(rows)) == 20_000


@every_generator
def test_a_seed_gives_the_same_hands_and_another_seed_others(name: str) -> None:
    rows = rows_of(GENERATORS[name](300, seed=5))
    assert rows == rows_of(GENERATORS[name](300, seed=5))
    assert not set(rows) & set(rows_of(GENERATORS[name](300, seed=6)))


@every_generator
def test_more_hands_of_a_seed_begin_with_the_fewer(name: str) -> None:
    assert rows_of(GENERATORS[name](18_000))[:300] == rows_of(GENERATORS[name](300))


def test_deals_have_the_tiles_and_at_most_the_wangs_that_were_asked_for() -> None:
    hands = samples.random_deals(5_000, tiles=20, wang=2)
    assert (copies(hands).sum(axis=1) + wangs(hands) == 20).all()
    assert set(wangs(hands)) == {0, 1, 2}


def test_every_face_is_dealt_alike() -> None:
    shares = copies(samples.random_deals(16_000)).mean(axis=0)
    assert abs(shares - 21 / 20).max() < 0.05


def test_winning_hands_have_a_division_and_every_other_one_a_quad() -> None:
    hands = samples.winning_hands(5_000)
    assert (batch.max_xi(hands, method="backtrack") >= 0).all()
    assert (copies(hands).max(axis=1) == 4).reshape(-1, 2).tolist() == [[False, True]] * 2_500
    assert (batch.missing_tiles(hands) == 0).all()


def test_the_twin_confirms_winning_hands() -> None:
    for text in query_texts(Queries(samples.winning_hands(40))):
        assert twin.best_xi(twin.parse_query(text)) is not None, text


def test_near_misses_are_one_swap_away_from_a_winning_hand() -> None:
    difference = copies(samples.near_misses(500)).astype(int) - copies(samples.winning_hands(500))
    assert (np.abs(difference).sum(axis=1) == 2).all()
    assert (batch.max_xi(samples.near_misses(500)) < 0).mean() > 0.5


@pytest.mark.parametrize("wang", range(5))
def test_wang_hands_hold_their_wangs_and_still_have_a_division(wang: int) -> None:
    hands = samples.wang_hands(300, wang)
    assert (wangs(hands) == wang).all()
    assert (batch.max_xi(hands, method="backtrack") >= 0).all()


@pytest.mark.parametrize("wang", range(5))
def test_waiting_hands_lack_one_tile_that_completes_them(wang: int) -> None:
    hands = samples.waiting_hands(300, wang=wang)
    assert (wangs(hands) == wang).all()
    assert (batch.missing_tiles(hands) == 1).all()
    assert (batch.wait_xi(hands, method="backtrack").max(axis=1) >= 0).all()


def test_mid_game_states_can_occur_in_play() -> None:
    queries = samples.mid_game(3_000, wang=4)
    assert not batch.solve(queries).status.any()
    assert (batch.missing_tiles(without_win(queries)) == 1).all()
    assert copies(queries.hand).max() == 3, "a fourth tile in hand would have been laid out as ti"
    assert set(np.unique(queries.exposed)) <= {0, *EXPOSED_CODES}
    assert set((queries.exposed > 0).sum(axis=1)) == {0, 1, 2, 3, 4, 5} - {0}
    assert set(np.unique(queries.source)) == {1, 2, 3}
    assert (queries.source[queries.win == 20] == 1).all()


def test_mid_game_states_are_wins_near_misses_and_hopeless_hands() -> None:
    solved = batch.solve(samples.mid_game(3_000))
    assert 0.3 < (solved.xi >= 0).mean() < 0.7
    assert solved.hu.any()


def test_some_winning_tiles_make_a_quad() -> None:
    queries = samples.mid_game(3_000)
    routes = batch.solve(queries, divisions=True).route
    assert routes is not None
    assert len(np.unique(routes)) >= 5, "single, wei, ti, pao and none"


@pytest.mark.parametrize("preset", preset_names())
def test_played_states_are_those_of_seats_that_a_tile_is_offered_to(preset: str) -> None:
    queries = samples.played_states(3_000, rules=preset)
    solved = batch.solve(queries, rules=load_rules(preset))
    assert not solved.status.any()
    assert 0.01 < solved.hu.mean() < 0.2, "as seldom as in play"
    assert (batch.missing_tiles(without_win(queries)) == 1).mean() > 0.99, "else nothing could be discarded"
    assert copies(queries.hand).max() == 3
    assert set(np.unique(queries.exposed)) <= {0, *EXPOSED_CODES}
    assert queries.exposed[:, 0].all()
    assert set(np.unique(queries.source)) == {1, 2, 3}
    assert (queries.source[queries.win == 20] == 1).all()
    assert set(wangs(queries.hand)) == set(range(load_rules(preset).wang + 1))


@pytest.mark.parametrize("preset", ["qq-half", "yongzhou-4"])
def test_played_states_come_from_the_deals_of_their_seed(preset: str) -> None:
    """A hand gains nothing but the shown tile and drawn wangs."""
    rules, game, dealt = load_rules(preset), -1, np.zeros((1, 21), np.uint8)
    for row, held in enumerate(batch.unpack(samples.played_states(2_000, rules=rules, seed=5).hand)):
        while not (held <= dealt).all(axis=1).any():
            game += 1
            assert game <= row
            dealt = dealt_tiles(Deal.from_seed(rules, hand_seed(5, game)))
    assert game >= 2_000 // 4 - 1


def dealt_tiles(deal: Deal) -> npt.NDArray[np.uint8]:
    """What each player may hold at most: its tiles, the dealer the shown one too, and all wangs."""
    counts = np.array([hand.counts for hand in deal.hands], np.uint8)
    counts[0, deal.shown.face] += 1
    counts[:, 20] = 4
    return counts


def test_played_states_of_a_seed_are_the_same_for_good() -> None:
    assert query_texts(samples.played_states(3, rules="qq-half", seed=1)) == [
        "3667890s 1234468900b | peng:444s + 6b@other",
        "7890s 1234468900b | peng:444s; wei:666s + 1b@discard",
        "278900s 22556777890b | peng:111s + 8s@other",
    ]


def test_the_states_of_the_shipped_example_come_from_games() -> None:
    played = [samples.played_states(60, seed=1), samples.played_states(20, rules="yongzhou-4", seed=1)]
    shipped = csv.DictReader((ROOT / "examples" / "hands.csv").open(encoding="utf-8"))
    assert [row["query"] for row in shipped if row["state"] == "in a game"] == [
        text for queries in played for text in query_texts(queries)
    ]


def test_chunks_deal_the_same_hands() -> None:
    assert rows_of(next(samples.played_state_chunks(seed=3)))[:200] == rows_of(
        samples.played_states(200, seed=3)
    )
    assert rows_of(next(samples.deal_chunks(seed=3)))[:200] == rows_of(samples.random_deals(200, seed=3))
    assert rows_of(next(samples.mid_game_chunks(seed=3)))[:200] == rows_of(samples.mid_game(200, seed=3))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: samples.random_deals(1, tiles=9),
        lambda: samples.random_deals(1, tiles=27),
        lambda: samples.random_deals(1, wang=5),
        lambda: samples.wang_hands(1, -1),
        lambda: samples.waiting_hands(1, wang=5),
        lambda: samples.mid_game(1, wang=5),
        lambda: samples.deal_chunks(wang=5),
        lambda: samples.mid_game_chunks(wang=5),
        lambda: samples.played_states(1, seed=-1),
        lambda: samples.played_state_chunks(seed=1 << 64),
        lambda: samples.random_deals(-1),
        lambda: samples.random_deals(1.5),
        lambda: samples.random_deals(1, seed=-1),
        lambda: samples.random_deals(1, seed="x"),
        lambda: samples.deal_chunks(tiles=21.0),
        lambda: samples.played_states(-1),
        lambda: samples.mid_game(None),
    ],
)
def test_what_no_deck_has_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"expected .* from"):
        ask()


def test_texts_of_many_queries_are_those_of_each() -> None:
    texts = query_texts(samples.mid_game(2_000, wang=4))
    assert texts == [str(Query.parse(text)) for text in texts]
    assert batch.queries(texts) == samples.mid_game(2_000, wang=4)


def test_texts_of_queries_without_one_part_or_another() -> None:
    texts = ["11s", "11b", "W", "|", "| chi:123s", "W | chi:123s", "+ 1s@self", "1s 2b WWW + W@self"]
    assert query_texts(batch.queries(texts)) == texts
