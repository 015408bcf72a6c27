"""Deals: those of a seed for good, their texts, what is no deck."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paohuzi import Hand, IllegalHand, NotationError, Tile, _engine, preset_names
from paohuzi.deals import Deal, first_dealer, hand_seed, random_seed

seeds = st.integers(0, 2**64 - 1)


@given(st.sampled_from(preset_names()), seeds)
def test_texts_give_the_deal_back(preset: str, seed: int) -> None:
    deal = Deal.from_seed(preset, seed)
    assert Deal.from_texts(deal.to_texts()) == deal
    assert eval(repr(deal)) == deal
    assert deal.native == _engine.make_deal(deal.wang_count, seed)
    assert deal.is_of_seed(seed)
    assert not deal.is_of_seed(seed ^ 1)


def test_deal_of_a_seed_is_the_same_for_good() -> None:
    assert Deal.from_seed("yongzhou", 2024).to_texts() == DEAL_2024
    assert [first_dealer("qq-basic", seed) for seed in range(8)] == [2, 2, 2, 2, 0, 2, 1, 1]
    assert hand_seed(1, 2) == 17911839290282890590


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("dealer", "1s", "expected 20 tiles for dealer, got 1"),
        ("wall", "1s", "in the deal"),
        ("wall", "", "in the deal"),
        ("shown", "W", "in the deal"),
        ("shown", "12s", "expected one tile"),
        ("next", "foo", "expected a tile"),
        ("previous", None, "expected the tiles of previous as a text, got None"),
        ("previous", 5, "expected the tiles of previous"),
    ],
)
def test_what_is_no_deal_is_refused(name: str, text: object, error: str) -> None:
    texts = Deal.from_seed("qq-basic", 1).to_texts()
    with pytest.raises((NotationError, IllegalHand), match=error):
        Deal.from_texts({**texts, name: text})


def test_five_wangs_are_refused() -> None:
    deal = Deal.from_seed("yongzhou-4", 1)
    with pytest.raises(IllegalHand, match="at most 4 wangs"):
        Deal(deal.hands, deal.shown, (*deal.wall, Tile(20)))
    assert deal.wang_count == 4


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, None])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    for use in (lambda: Deal.from_seed("qq-basic", seed), lambda: hand_seed(seed, 0)):
        with pytest.raises(ValueError, match="expected a seed from 0 to 2"):
            use()


def test_random_seeds_differ() -> None:
    drawn = {random_seed() for _ in range(50)}
    assert len(drawn) == 50
    assert all(0 <= seed < 2**64 for seed in drawn)


def test_hands_are_those_of_the_deck() -> None:
    deal = Deal.from_seed("qq-basic", 3)
    assert all(isinstance(hand, Hand) and len(hand) == 20 for hand in deal.hands)


DEAL_2024 = {
    "dealer": "1257778000s 2344667889b",
    "shown": "3s",
    "next": "1122346990s 133558900b W",
    "previous": "1445556789s 1144566790b",
    "wall": "9b 8s W 6s 7b 2b 0b 2b 8b 5b 9s 8s 4s 2b 3s 1b 7b 3s 6s 2s 3b",
}
