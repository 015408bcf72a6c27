"""The game of one hand: lines of an engine that is not ours, a case for every rule, laws of every game."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import walls
from engine_games import (
    WANG,
    EngineGame,
    action_text,
    held_faces,
    native_rules,
    new_table,
    packed,
)

from paohuzi import Group, Hand, Tile, _engine

GOLDEN = Path(__file__).parent / "golden"
SEATS = range(3)
every_preset = pytest.mark.parametrize("preset", walls.PRESETS)


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def exposed_texts(table: _engine.Table) -> list[list[str]]:
    """The exposed groups by seat; those laid out together have no order."""
    return [sorted(str(Group.from_code(code)) for code in table.exposed(seat)) for seat in SEATS]


def play_line(case: dict[str, Any]) -> EngineGame:
    game = EngineGame(case, case.get("seat_count", 3))
    for action in case["line"]:
        game.apply(action)
    return game


@pytest.mark.parametrize("path", sorted((GOLDEN / "lines").glob("*.jsonl")), ids=lambda path: path.stem)
def test_game_lines_are_replayed(path: Path) -> None:
    for number, line in enumerate(read_lines(path)):
        game = EngineGame(line, line.get("seat_count", 3))
        steps = zip(line["seats"], line["choices"], line["line"], strict=True)
        for place, (seat, choices, action) in enumerate(steps):
            asked = (game.asked, len(game.actions))
            assert asked == (seat, choices), f"line {number}, decision {place}: {game.actions}"
            game.apply(action)
        assert (game.asked, game.end) == (None, line["end"]), f"line {number}"


@pytest.mark.parametrize("case", read_lines(GOLDEN / "play.jsonl"), ids=lambda case: case["id"])
def test_rule_of_play_is_kept(case: dict[str, Any]) -> None:
    game = play_line(case)
    assert game.asked == case.get("seat")
    assert sorted(game.actions) == case.get("actions", [])
    assert game.end == case.get("end")
    assert exposed_texts(game.table) == [sorted(filter(None, text.split(";"))) for text in case["exposed"]]
    for depth, count in enumerate(case.get("perft", ()), 1):
        assert game.table.perft(depth) == count


def tiles_of(table: _engine.Table) -> Counter[int]:
    """Every tile in hands, wall and exposed groups, and those that lie on the table."""
    tiles = Counter(table.wall())
    for seat in SEATS:
        tiles.update(Counter(dict(enumerate(Hand.from_packed(table.hands()[seat]).counts))))
        for code in table.exposed(seat):
            tiles.update(Group.from_code(code).faces)
    tiles.update(
        face for face, _, _, fate, _ in table.observe(0).appearances if fate in ("lies", "open", "hu")
    )
    return +tiles


def random_line(game: EngineGame, seed: int) -> list[str]:
    return walls.play_out(game, seed)


@every_preset
def test_laws_of_a_game_hold_at_every_decision(preset: str) -> None:
    for seed in range(15):
        assert_laws_hold(preset, 3, seed)


def assert_laws_hold(preset: str, seats: int, seed: int) -> None:
    """Play a random game: sorted actions, tiles conserved, copies apart, payments that sum to 0."""
    random = Random(seed)
    deck = +Counter(dict.fromkeys(range(WANG), 4) | {WANG: walls.WANGS.get(preset, 0)})
    game = EngineGame(walls.random_deal(preset, seed, clumping=0.1 * (seed % 4), grouping=0.5), seats)
    table = game.table
    while game.end is None:
        actions = table.actions()
        assert actions == sorted(set(actions))
        assert len(actions) >= 2 or table.question == "discard"
        assert table.asked in SEATS
        if table.observe(0).pending != (None, table.asked, False):  # a hidden draw is nowhere yet
            assert tiles_of(table) == deck
        kept, state = table.copy(), table.state()
        table.apply(random.choice(actions))
        assert kept.state() == state, "a copy is another hand"
        assert kept.actions() == actions
    assert table.asked == -1
    assert table.actions() == []
    result = table.result()
    assert result is not None
    assert sum(result[5]) == 0
    assert tiles_of(table) == deck


@every_preset
def test_same_seed_and_same_choices_give_the_same_hand(preset: str) -> None:
    states = []
    for _ in range(2):
        table = new_table(preset)
        table.deal_seed(2024)
        random = Random(1)
        states.append([table.state()])
        while not table.is_over:
            table.apply(random.choice(table.actions()))
            states[-1].append(table.state())
    assert states[0] == states[1]


def test_a_deal_by_its_tiles_is_that_of_its_seed() -> None:
    by_seed, by_tiles = new_table("yongzhou"), new_table("yongzhou")
    by_seed.deal_seed(5)
    by_tiles.deal(*_engine.make_deal(2, 5))
    assert by_seed.state() == by_tiles.state()


def splitmix(state: int) -> tuple[int, int]:
    mask = (1 << 64) - 1
    state = state + 0x9E3779B97F4A7C15 & mask
    mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
    return state, mixed ^ mixed >> 31


def plain_deck(wangs: int, seed: int) -> list[int]:
    """The shuffle as docs/rules.md 4.1 tells it."""
    deck = [face for face in range(20) for _ in range(4)] + [WANG] * wangs
    state = seed
    for place in range(len(deck) - 1, 0, -1):
        state, number = splitmix(state)
        other = (number >> 32) * (place + 1) >> 32
        deck[place], deck[other] = deck[other], deck[place]
    return deck


@pytest.mark.parametrize("wangs", [0, 2, 4])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 123456789])
def test_deal_of_a_seed_is_the_documented_shuffle(wangs: int, seed: int) -> None:
    deck = plain_deck(wangs, seed)
    hands, shown, wall = _engine.make_deal(wangs, seed)
    dealt = [deck[:20], deck[21:41], deck[41:61]]
    assert [Hand.from_packed(hand).counts for hand in hands] == [
        tuple(tiles.count(face) for face in range(21)) for tiles in dealt
    ]
    assert (shown, list(wall)) == (deck[20], deck[61:])


def test_deal_of_a_seed_is_fixed_for_good() -> None:
    hands, shown, wall = _engine.make_deal(0, 1)
    texts = [str(Hand.from_packed(hand)) for hand in hands]
    assert (texts, str(Tile(shown)), " ".join(str(Tile(face)) for face in wall)) == FIRST_DEAL
    assert [_engine.first_dealer(3, seed) for seed in range(8)] == FIRST_DEALERS
    assert [_engine.hand_seed(1, number) for number in range(3)] == HAND_SEEDS


def test_hands_of_a_match_have_the_numbers_of_its_seed() -> None:
    state, expected = 77, []
    for _ in range(4):
        state, number = splitmix(state)
        expected.append(number)
    assert [_engine.hand_seed(77, number) for number in range(4)] == expected


def test_what_is_not_the_deck_is_refused() -> None:
    hands, shown, wall = _engine.make_deal(0, 1)
    table = new_table("qq-basic")
    for broken in (
        (hands[:2], shown, wall),
        ((hands[0], hands[0], hands[2]), shown, wall),
        ((hands[0] + 1, hands[1], hands[2]), shown, wall),
        (hands, 20, wall),
        (hands, 21, wall),
        (hands, shown, wall[:-1]),
        (hands, shown, wall[:-1] + b"\xff"),
        _engine.make_deal(2, 1),
    ):
        with pytest.raises(ValueError, match="expected"):
            table.deal(*broken)
    with pytest.raises(ValueError, match="no hand has been dealt"):
        table.observe(0)
    with pytest.raises(ValueError, match="bytes of rules"):
        _engine.Table(native_rules("qq-basic")[:-1])


def test_action_that_is_not_offered_is_refused() -> None:
    table = new_table("qq-basic")
    table.deal_seed(3)
    for action in range(4 << 32, 6 << 32, 1 << 20):
        with pytest.raises(ValueError, match="expected one of the actions"):
            table.apply(action)
    with pytest.raises(ValueError, match="expected one of the actions"):
        table.apply(table.actions()[0] | 1 << 50)


def test_seat_that_is_none_is_refused() -> None:
    table = new_table("qq-basic")
    table.deal_seed(3)
    for question in (table.observe, table.exposed, table.win_key):
        with pytest.raises(ValueError, match="expected a seat from 0 to 2, got 3"):
            question(3)


@every_preset
def test_events_tell_the_whole_hand(preset: str) -> None:
    """From the events alone the hands, exposed groups and wall are found again."""
    for seed in range(10):
        deal = walls.random_deal(preset, seed, clumping=0.1, grouping=0.3)
        game = EngineGame(deal, is_recording=True)
        hands = [Counter(held_faces(packed(deal[name]))) for name in ("dealer", "next", "previous")]
        hands[0].update(held_faces(packed(deal["shown"])))
        exposed: list[list[int]] = [[], [], []]
        wall = [Tile.parse(word).face for word in deal["wall"].split()]
        random_line(game, seed)
        events = game.table.take_events()
        for event, after in zip(events, [*events[1:], ("end",)], strict=True):
            follow(event, hands, exposed, wall)
            if event[0] == "draw" and after[0] != "hu":
                hands[event[1]][WANG] += event[3] == WANG
        table = game.table
        assert [bytes(codes) for codes in exposed] == [table.exposed(seat) for seat in SEATS]
        assert bytes(wall) == table.wall()
        assert [+hand for hand in hands] == [Counter(held_faces(hand)) for hand in table.hands()]


def follow(
    event: tuple[Any, ...], hands: list[Counter[int]], exposed: list[list[int]], wall: list[int]
) -> None:
    kind, seat, _, face, *codes = event[:7]
    hand = hands[seat]
    if kind == "draw":
        assert wall.pop(0) == face
    elif kind == "discard":
        hand[face] -= 1
    elif kind in ("chi", "peng", "wei", "ti", "pao"):
        triplets = [place for place, code in enumerate(exposed[seat]) if is_triplet_of(code, face)]
        if triplets and kind in ("ti", "pao"):
            exposed[seat][triplets[0]] = codes[0]
            return
        exposed[seat] += [code for code in codes if code]
        is_dealt = event[8]
        for code in filter(None, codes):
            hand.subtract(Group.from_code(code).faces)
        hand[face] += not is_dealt


def is_triplet_of(code: int, face: int) -> bool:
    group = Group.from_code(code)
    return group.is_triplet and group.faces[0] == face


@every_preset
def test_many_random_hands_reach_every_question_and_event(preset: str) -> None:
    totals = _engine.random_play(native_rules(preset), 0, 3000, with_events=True)
    is_forced = preset == "luzhou"
    never = {"none"} | ({"peng"} if is_forced else set())
    assert {question for question, count in totals["questions"].items() if count == 0} <= never
    assert all(totals["events"].values())
    assert totals["hands"] == 3000 == totals["events"]["hu"] + totals["events"]["drawn_hand"]
    assert totals["decisions"] == sum(totals["questions"].values())


def test_two_threads_play_the_same_hands_as_one() -> None:
    from concurrent.futures import ThreadPoolExecutor

    rules = native_rules("yongzhou")
    alone = [_engine.random_play(rules, first, 300) for first in (0, 300)]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda first: _engine.random_play(rules, first, 300), (0, 300)))
    assert together == alone


def test_perft_counts_sequences_and_divide_splits_them() -> None:
    table = new_table("qq-basic")
    table.deal_seed(11)
    parts = table.divide(3)
    assert sum(parts.values()) == table.perft(3)
    assert sorted(parts) == table.actions()
    assert table.perft(1) == len(table.actions())
    with pytest.raises(ValueError, match="depth from 1 to 12"):
        table.perft(0)


def test_action_texts_are_one_for_each_action() -> None:
    table = new_table("kaixin")
    for seed in range(40):
        table.deal_seed(seed)
        random = Random(seed)
        while not table.is_over:
            texts = [action_text(action) for action in table.actions()]
            assert len(set(texts)) == len(texts)
            table.apply(random.choice(table.actions()))


FIRST_DEAL = (
    ["1124445670s 1224468900b", "233467780s 13356667790b", "112235567890s 23447890b"],
    "5s",
    "1b 3b 8b 3s 8b 9s 8s 1b 8s 5b 6s 0s 7b 5b 9s 9s 9b 5b 2b",
)
FIRST_DEALERS = [2, 2, 2, 2, 0, 2, 1, 1]
HAND_SEEDS = [10451216379200822465, 13757245211066428519, 17911839290282890590]
