"""Records: what they tell, what a seat saw of it, which cannot be true."""

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from game_bots import TABLES, RandomBot, new_game, played, rules_of
from hypothesis import given
from hypothesis import strategies as st

from paohuzi import NotationError, Rules, load_rules
from paohuzi.actions import Action
from paohuzi.game import Game
from paohuzi.match import Match
from paohuzi.record import Record, check_record, decode_event, encode_event, first_difference, record_schema
from paohuzi.record.events import UNKNOWN, Draw, Event, Hu, Pass
from paohuzi.record.position import Position, position_after
from paohuzi.record.record import action_of, tag_of

SCHEMA = Path(__file__).parent.parent / "docs" / "record.schema.json"
every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)


def records_of(preset: str, seats: int, count: int = 12) -> list[Record]:
    return [played(preset, seats, seed).record(["Ann", "Bo", "Chen", "Di"][:seats]) for seed in range(count)]


@every_table
def test_record_is_read_back_and_true(preset: str, seats: int) -> None:
    for record in records_of(preset, seats):
        again = Record.from_lines(record.to_lines())
        assert again == record
        assert again.to_lines() == record.to_lines()
        check_record(again)


@every_table
def test_record_gives_the_hand_back(preset: str, seats: int) -> None:
    for seed in range(12):
        game = played(preset, seats, seed)
        record = game.record()
        assert (record.rules, record.tiles, record.line) == (game.rules, game.deal, game.line)
        assert record.playing == game.playing
        again = Game(record.rules, deal=record.tiles, dealer=record.start.dealer)
        for action in record.line:
            again.apply(action)
        assert again.result == game.result
        assert game.result is not None
        assert record.end.deltas == game.result.points


def test_every_type_of_event_is_met() -> None:
    met: Counter[str] = Counter()
    for preset, seats in TABLES:
        met.update(tag_of(event) for record in records_of(preset, seats, 20) for event in record.events)
    game = Game("qq-full", seed=1)
    game.leave(1)
    met.update(tag_of(event) for event in game.record().events)
    known = set(record_schema()["discriminator"]["mapping"])
    assert set(met) == known


@every_table
def test_forced_events_are_marked_and_choices_are_not(preset: str, seats: int) -> None:
    for record in records_of(preset, seats):
        for event in record.events:
            tag = tag_of(event)
            if tag in ("draw", "wei", "chouwei", "ti", "pao", "skip", "draw-game"):
                assert event.forced
            elif tag == "peng":
                assert event.forced == (preset == "luzhou")
            elif tag == "hu":
                assert event.forced == (event.source == "dealt" and not _is_asked(record))


def _is_asked(record: Record) -> bool:
    """Whether a win as dealt was chosen: else it is a forced heaven."""
    return record.line != ()


@every_table
def test_score_of_a_win_is_told(preset: str, seats: int) -> None:
    wins = 0
    for record in records_of(preset, seats, 20):
        event = record.events[-2]
        if not isinstance(event, Hu):
            continue
        wins += 1
        assert record.end.deltas[event.actor] == 2 * event.payment * record.rules.stake
        assert event.payment == event.base * event.fan
        assert all(fan.name and fan.value for fan in event.fans)
    assert wins > 2


def test_start_tells_rules_and_deal_in_full() -> None:
    record = Game("qq-full", seed=7, dealer=2, scores=[5, -3, -2]).copy()
    record.leave(0)
    start = record.record(["Ann", "Bo", "Chen"], hand=4).start
    assert (start.protocol, start.version, start.view, start.hand) == ("paohuzi-record", 1, None, 4)
    assert (start.seats, start.dealer, start.scores, start.seed) == (("Ann", "Bo", "Chen"), 2, (5, -3, -2), 7)
    assert Rules.from_dict(start.rules) == load_rules("qq-full")
    assert start.rules_hash == load_rules("qq-full").hash
    assert start.wall.split() == [str(tile) for tile in record.deal.wall]


def test_record_of_a_hand_that_goes_on_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a hand that is over, got one that asks discard"):
        Game("qq-basic", seed=4).record()


# As one seat saw it


@every_table
def test_seat_view_hides_what_the_seat_did_not_see(preset: str, seats: int) -> None:
    hidden: Counter[str] = Counter()
    for record in records_of(preset, seats):
        for seat in record.playing:
            seen = record.seen_by(seat)
            assert seen.start.view == seat
            assert seen.start.seed is None
            assert [len(hand) for hand in seen.deal.hands].count(20) >= 2
            assert seen.deal.hands[seat] == record.deal.hands[seat]
            assert Record.from_lines(seen.to_lines()) == seen
            assert not [event for event in seen.events if isinstance(event, Pass) and event.actor != seat]
            for event in seen.events[2:]:
                if UNKNOWN in encode_event(event).decode():
                    hidden[tag_of(event)] += 1
                    assert event.actor != seat
                    assert event.tile == UNKNOWN
                elif isinstance(event, Draw):
                    assert not event.hidden or event.actor == seat
                else:
                    assert tag_of(event) != "wei" or event.actor == seat
    assert set(hidden) == {"draw", "wei"}


def test_seat_view_shows_what_all_saw() -> None:
    record = next(record for record in records_of("qq-basic", 3, 30) if isinstance(record.events[-2], Hu))
    seen = record.seen_by(0)
    assert seen.events[-2:] == record.events[-2:]
    assert [event for event in seen.events if tag_of(event) in ("discard", "chi", "peng", "pao", "ti")] == [
        event for event in record.events if tag_of(event) in ("discard", "chi", "peng", "pao", "ti")
    ]
    assert set(seen.start.wall.split()) == {UNKNOWN}


def test_hidden_shown_tile_and_last_of_the_wall_are_as_the_seats_saw_them() -> None:
    for seed in range(10):
        record = played("hunan", 4, seed).record(["a", "b", "c", "d"])
        for place, seat in enumerate(record.playing):
            seen = record.seen_by(seat)
            assert (seen.deal.shown == UNKNOWN) == (place > 0)
            assert seen.start.wall.split()[-1] != UNKNOWN
            assert seen.deal.hands.count("") == 1


def test_seat_view_cannot_be_checked_or_seen_by_another() -> None:
    record = played("qq-basic", 3, 1).record()
    seen = record.seen_by(1)
    with pytest.raises(NotationError, match="expected a full record, got what seat 1 saw"):
        check_record(seen)
    with pytest.raises(NotationError, match="expected a full record"):
        seen.seen_by(2)
    with pytest.raises(ValueError, match=r"a seat that plays \(0, 1, 2\), got 3"):
        record.seen_by(3)


# Positions


@every_table
def test_position_is_that_of_the_game(preset: str, seats: int) -> None:
    for seed in range(10):
        game = played(preset, seats, seed)
        record = game.record()
        position = position_after(record, len(record.events))
        for seat in game.playing:
            view = game.observe(seat)
            assert sorted(position.exposed[seat]) == sorted(map(str, view.groups))
            if not (view.winner is not None and record.events[2:] and is_taken_hand(record)):
                assert Counter(position.hands[seat]) == Counter(tiles(view.hand.counts))
            assert position.wall == view.wall_count


def is_taken_hand(record: Record) -> bool:
    """Whether the hand ended at a drawn wang, which the position counts to the hand."""
    return isinstance(record.events[-2], Hu) and record.events[-2].tile == "W"


def tiles(counts: tuple[int, ...]) -> list[str]:
    from paohuzi.tiles import TILE_TEXTS

    return [text for text, count in zip(TILE_TEXTS, counts, strict=True) for _ in range(count)]


@every_table
def test_position_of_a_seat_view_agrees_with_the_full_one(preset: str, seats: int) -> None:
    for record in records_of(preset, seats, 6):
        full = position_after(record, len(record.events))
        for seat in record.playing:
            seen = record.seen_by(seat)
            position = position_after(seen, len(seen.events))
            assert position.lying == full.lying
            assert sorted(position.hands[seat]) == sorted(full.hands[seat])
            assert [*map(len, position.hands)] == [*map(len, full.hands)]
            assert [*map(len, position.exposed)] == [*map(len, full.exposed)]


def test_event_that_cannot_follow_is_refused() -> None:
    record = played("qq-basic", 3, 1).record()
    position = Position(record.start)
    with pytest.raises(NotationError, match="expected an event that can follow"):
        position.go_on(decode_event('{"type":"discard","actor":0,"tile":"1s"}'))


# Reading


def test_schema_is_the_published_one() -> None:
    """After a change of the events write it anew: paohuzi.record.record_schema() as JSON with indent 1."""
    text = json.dumps(record_schema(), ensure_ascii=False, indent=1) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == text


def validate(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value follows a schema, as far as the published one uses JSON Schema."""
    if "$ref" in schema:
        return validate(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return any(validate(value, part, root) for part in schema["anyOf"])
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}
    if "enum" in schema:
        return value in schema["enum"]
    if not isinstance(value, kinds.get(schema.get("type", ""), bool if "type" in schema else object)):
        return False
    if schema.get("type") == "object" and "properties" in schema:
        known = schema["properties"]
        named = all(name in known and validate(part, known[name], root) for name, part in value.items())
        return named and set(schema["required"]) <= set(value)
    if schema.get("type") == "array":
        return all(validate(part, schema.get("items", {}), root) for part in value)
    low, high = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    return schema.get("type") != "integer" or low <= value <= high


@every_table
def test_lines_follow_the_published_schema(preset: str, seats: int) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for record in records_of(preset, seats, 4):
        for line in (*record.to_lines(), *record.seen_by(record.playing[1]).to_lines()):
            assert validate(json.loads(line), schema, schema), line
    assert not validate({"type": "draw", "actor": 5, "tile": "1s"}, schema, schema)
    assert not validate({"type": "draw", "actor": 1}, schema, schema)
    assert not validate({"type": "draw", "actor": 1, "tile": "1s", "more": 1}, schema, schema)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("", "expected an event as one JSON object"),
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ('{"type":"drow"}', "Invalid value 'drow'"),
        ('{"type":"draw","actor":4,"tile":"5s"}', "<= 3"),
        ('{"type":"draw","actor":1,"tile":"5x"}', "5x"),
        ('{"type":"draw","actor":1,"tile":"5s","x":1}', "unknown field `x`"),
        ('{"type":"discard","actor":1}', "missing required field `tile`"),
        ('{"type":"chi","actor":1,"target":0,"tile":"5s","consumed":["5s","5b"],"bi":["111s"]}', "111s"),
        ('{"type":"end","deltas":[0,0,0],"totals":["a",0,0]}', "Expected `int`"),
        ('{"type":"end","deltas":[0,0,0,0,0],"totals":[0,0,0]}', "length <= 4"),
        ('{"type":"end","deltas":[0,0,0],"totals":[0,0,' + "9" * 400 + "]}", "expected an event"),
        ("[" * 100_000, "expected an event"),
    ],
)
def test_line_that_is_no_event_is_refused(line: str, error: str) -> None:
    with pytest.raises(NotationError, match="expected an event as one JSON object") as caught:
        decode_event(line)
    assert error in str(caught.value)


LINES = played("kaixin", 3, 3).record().to_lines()


@given(st.sampled_from(LINES), st.integers(0, 500), st.binary(max_size=3))
def test_damaged_lines_are_read_or_refused(line: bytes, place: int, put: bytes) -> None:
    place %= len(line)
    with suppress(NotationError):
        decode_event(line[:place] + put + line[place + len(put) :])


@given(st.lists(st.sampled_from(range(len(LINES))), max_size=8))
def test_lines_in_another_order_are_refused(order: list[int]) -> None:
    with pytest.raises(NotationError, match="event"):
        Record.from_lines([LINES[place] for place in order])


def test_wrong_order_is_told_with_its_place() -> None:
    start, deal, *play, end = LINES
    for lines, error in (
        ([], "event 0: expected an end"),
        ([deal, start, end], "event 0: expected start, got deal"),
        ([start, *play, end], "event 1: expected deal, got"),
        ([start, deal, *play], f"event {len(play) + 1}: expected an end|expected end"),
        ([start, deal, start, end], "event 2: expected an event of play or end, got start"),
        ([start, deal, *play, end, end], "expected nothing after the end, got end"),
        ([start, deal, *play, *play, end], "expected end, got"),
        ([start, deal, *[play[0]] * 500, end], "expected an end after at most 400 events"),
    ):
        with pytest.raises(NotationError, match=error):
            Record.from_lines(lines)


# Tampering


def changed(event: Event, random: Random) -> Event | None:
    """The event with one field changed; None where it has none that matters."""
    fields = [name for name in event.__struct_fields__ if name not in ("seats", "hand", "view")]
    name = random.choice(fields)
    value = getattr(event, name)
    other = other_value(name, value, random)
    return None if other == value else msgspec.structs.replace(event, **{name: other})


def other_value(name: str, value: Any, random: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if name in ("actor", "target", "dealer") and value is not None:
        return (value + random.choice([1, 2])) % 3
    if isinstance(value, int):
        return value + 1
    if name == "tile" and value is not None:
        return random.choice(["1s", "7b", "0b"])
    if isinstance(value, tuple) and value:
        return (*value[:-1], other_value("", value[-1], random)) if random.random() < 0.5 else value[:-1]
    return f"{value[:-1]}0" if isinstance(value, str) and value else value


@every_table
def test_tampered_record_is_found_out(preset: str, seats: int) -> None:
    """A changed event is told, unless it is another hand that can be: then all that follows fits."""
    random = Random(f"{preset} {seats}")
    found = 0
    for record in records_of(preset, seats):
        for _ in range(12):
            place = random.randrange(len(record.events))
            event = changed(record.events[place], random)
            if event is None:
                continue
            try:
                line = encode_event(event)
                tampered = Record((*record.events[:place], decode_event(line), *record.events[place + 1 :]))
                difference = first_difference(tampered)
            except NotationError:
                continue
            if is_harmless(record.events[place], event) or (difference is None and action_of(event)):
                continue
            assert difference is not None, (place, record.events[place], event)
            found += 1
    assert found > 40


def is_harmless(event: Event, other: Event) -> bool:
    """Scores carried over from the hand before: only the hands together tell."""
    if tag_of(event) != "start":
        return False
    return msgspec.structs.replace(event, scores=(), seed=None) == msgspec.structs.replace(
        other, scores=(), seed=None
    )


def test_tampering_is_told_with_the_event_and_what_was_expected() -> None:
    record = records_of("qq-basic", 3, 1)[0]
    place = next(place for place, event in enumerate(record.events) if isinstance(event, Draw))
    event = record.events[place]
    other = msgspec.structs.replace(event, tile="1s" if event.tile != "1s" else "2s")
    tampered = Record((*record.events[:place], other, *record.events[place + 1 :]))
    with pytest.raises(NotationError) as caught:
        check_record(tampered)
    expected, got = encode_event(event).decode(), encode_event(other).decode()
    assert str(caught.value) == f"event {place}: expected {expected}, got {got}"


def test_removed_and_added_events_are_found_out() -> None:
    for record in records_of("luzhou", 3, 10):
        for place in range(2, len(record.events) - 1):
            shorter = (*record.events[:place], *record.events[place + 1 :])
            assert difference_of(shorter) is not None
            longer = (*record.events[:place], record.events[place], *record.events[place:])
            assert difference_of(longer) is not None


def difference_of(events: tuple[Event, ...]) -> object:
    try:
        return first_difference(Record(events))
    except NotationError as error:
        return error


def test_other_rules_than_their_hash_are_found_out() -> None:
    record = records_of("qq-basic", 3, 1)[0]
    rules = {**record.start.rules, "min_xi": 10}
    start = msgspec.structs.replace(record.start, rules=rules)
    with pytest.raises(NotationError, match="expected rules with the hash"):
        check_record(Record((start, *record.events[1:])))


def test_another_deal_than_that_of_the_seed_is_found_out() -> None:
    record = next(Match("qq-basic", [RandomBot(seat) for seat in range(3)], seed=1))
    assert record.start.seed is not None
    start = msgspec.structs.replace(record.start, seed=record.start.seed ^ 1)
    found = first_difference(Record((start, *record.events[1:])))
    assert found == (0, f"expected the deal of the seed {start.seed}, got another")


def test_choices_are_read_from_the_events() -> None:
    record = played("kaixin", 3, 2).record()
    places = [place for place, _ in record.decisions()]
    assert places == sorted(places)
    assert all(isinstance(action, Action) for action in record.line)
    assert rules_of("kaixin") == record.rules
    assert repr(record).startswith("<Record of hand 0, ")
    assert new_game("kaixin", 3, 2).line == ()


@pytest.mark.exhaustive
@every_table
def test_many_records_are_true(preset: str, seats: int) -> None:
    rules = rules_of(preset, seats)
    for record in Match(rules, [RandomBot(seat) for seat in range(seats)], seed=99, hands=5000):
        check_record(Record.from_lines(record.to_lines()))
        for seat in record.playing:
            seen = record.seen_by(seat)
            position_after(seen, len(seen.events))
