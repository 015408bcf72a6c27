"""All that is said to people, in English and in Chinese: one catalogue."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .advice_words import ADVICE_WORDS
from .arena_words import ARENA_WORDS
from .play_words import PLAY_WORDS
from .replay_words import REPLAY_WORDS

__all__ = ["CATALOGUE", "LANGUAGES", "Section", "Words", "default_language"]

LANGUAGES = ("en", "zh")

# Key: English, Chinese.
_WORDS = {
    # the list
    "name": ("name", "名字"),
    "chinese": ("Chinese", "中文"),
    "minimum": ("min xi", "起胡"),
    "wangs": ("wang", "王"),
    "seats": ("seats", "人数"),
    "about": ("about", "名堂"),
    # one table's rules
    "source": ("Source: {source}.", "出处：{source}。"),
    "no_source": ("Not from one of the texts.", "无出处。"),
    "table": ("Table (桌)", "牌桌"),
    "seats_3": ("Three players.", "三人玩。"),
    "seats_4": (
        "Four at the table: the seat opposite the dealer sits out (坐底).",
        "四人玩，庄家对面坐底。",
    ),
    "shown_hidden": (
        "With four seats the dealer's last tile stays hidden; the wall's last one is shown, never a red one.",
        "四人玩时庄家不亮张，改亮墩上最后一张，遇红字换到最上方。",
    ),
    "wang_0": ("No wang (王).", "没有王。"),
    "wang_n": (
        "{wang} wangs (王). Who holds one wins on own draws only.",
        "{wang} 张王，手中有王只能自摸。",
    ),
    "win": ("Win (胡)", "胡牌"),
    "min_xi": ("Seven groups (门子) with at least {min_xi} xi (胡息).", "七方门子，至少 {min_xi} 胡息。"),
    "xi": ("xi (息), small/big: {table}.", "胡息（小/大）：{table}。"),
    "xi_peng": ("peng 碰", "碰"),
    "xi_kan": ("kan 坎 and wei 偎", "坎偎"),
    "xi_pao": ("pao 跑", "跑"),
    "xi_ti": ("ti 提", "提"),
    "xi_r123": ("1-2-3", "一二三"),
    "xi_r27a": ("2-7-10", "二七十"),
    "xi_red": (" (red {red})", "（红字 {red}）"),
    "discards_no": ("Discards cannot be won on.", "打出的牌不能胡。"),
    "discards_yes": (
        "Discards can be won on, and both losers pay.",
        "打出的牌可以胡，两家都付。",
    ),
    "kan_splittable": (
        "In the win a kan (坎) or ti (提) in hand may be divided.",
        "胡牌时手中的坎、提可以拆开。",
    ),
    "third_from_other": (
        "A third tile from another makes a triplet with the xi of a wei (偎).",
        "胡别人的牌成三张，按偎计息。",
    ),
    "not_forced": (
        "An own draw need not become a wei (偎) or ti (提) in the win.",
        "自摸胡牌时不必成偎、成提。",
    ),
    "no_wang_in_quad": ("No wang in a quad.", "四张的门子里不能有王。"),
    "no_wang_in_triplet": ("No wang in a triplet.", "三张的门子里不能有王。"),
    "play": ("Play (打牌)", "打牌"),
    "peng_forced": ("Peng (碰) must be taken.", "有碰必碰。"),
    "dead": ("A face goes dead (臭牌) for {what} by {causes}.", "{causes}，此牌不能再{what}。"),
    "never_dead": ("No face goes dead (臭牌) for {what}.", "{what}没有臭牌。"),
    "chi": ("chi (吃)", "吃"),
    "peng": ("peng (碰)", "碰"),
    "by_passed_chi": ("a chi passed", "可吃不吃"),
    "by_passed_peng": ("a peng passed", "可碰不碰"),
    "by_discard": ("one's own discard", "自己打出"),
    "and": (", ", "、"),
    # the score
    "score": ("Score (算分)", "算分"),
    "xi_unit": ("xi", "胡息"),
    "tun": ("tun (囤) = {formula}, rounded down: {examples}.", "囤数 = {formula}，不满不计：{examples}。"),
    "tianhu": ("With 天胡: {formula}; {examples}.", "天胡：{formula}，{examples}。"),
    "own_draw_tun": ("An own draw (自摸) adds 1 tun.", "自摸加 1 囤。"),
    "own_draw_fan": (
        "An own draw (自摸) adds 1 fan, to 1 where there is none.",
        "自摸加 1 番，平胡也加。",
    ),
    "own_draw_nothing": ("An own draw (自摸) adds nothing by itself.", "自摸不另加。"),
    "combine_sum": (
        "The fan are added up; without any (平胡) they are 1.",
        "番数相加，平胡 1 番。",
    ),
    "combine_product": (
        "The fan are multiplied; without any (平胡) they are 1.",
        "番数相乘，平胡 1 番。",
    ),
    "combine_none": ("No fan count.", "不计番。"),
    "payment": ("Each loser pays tun x fan.", "输家各付 囤数 × 番数。"),
    "payment_stake": (
        "Each loser pays tun x fan x {stake}, the stake.",
        "输家各付 囤数 × 番数 × 底分 {stake}。",
    ),
    "other_tianhu": (
        "Another's win on the shown tile (亮张) is a 天胡 too, but no own draw.",
        "闲家胡亮张也是天胡，不算自摸。",
    ),
    "other_tianhu_own_draw": (
        "Another's win on the shown tile (亮张) is a 天胡 and an own draw.",
        "闲家胡亮张也是天胡，并算自摸。",
    ),
    "wang_penalty": (
        "Hand drawn (荒庄): who holds wangs pays {penalty} a wang to each player without any.",
        "荒庄：有王的付无王的各家，每张王 {penalty}。",
    ),
    "flee": (
        "Who flees (逃跑) pays (tun of what the two others could have + {tun}) x {stake} to the room.",
        "逃跑扣分：（另两家最大胡息之和折成的囤数 + {tun}）× {stake}，归房间。",
    ),
    "titles": ("Titles (等级) by points: {titles}.", "等级名（积分）：{titles}。"),
    "title": ("{chinese} {english} {points}", "{chinese} {points}"),
    "hash": ("Hash {hash}", "哈希 {hash}"),
    # the fan
    "fan": ("Fan (番)", "名堂"),
    "no_fan": ("None.", "无。"),
    "together": (
        "{parts} together ({name}): {value}, in place of {sum}.",
        "{parts}（{name}）：{value}，不再是 {sum}。",
    ),
    "exclusive": ("Of {fans} only the highest counts.", "{fans}：只计最高的一种。"),
    "numbers": ("{fact}: {numbers}", "{fact}：{numbers}"),
    "or_more": ("{number} or more", "{number} 以上"),
    "to": ("{low} to {high}", "{low}–{high}"),
    "or": ("{first} or {last}", "{first}或 {last}"),
    "each_of": ("{value} for each", "每个 {value}"),
    "rising": ("{value}, +{each} for each more", "{value}，每多一张加 {each}"),
    "growing": ("{values} ...", "{values} ……"),
    "cap": (", at most {cap}", "，最多 {cap}"),
    "alone": (", {alone} by itself", "，单独 {alone}"),
    # the comparison
    "field": ("field", "项"),
    "same": ("No difference in the rules.", "规则相同。"),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    # one hand's score
    "hu": ("胡 hu: each loser pays {payment}", "胡：输家各付 {payment}"),
    "no_hu": ("不胡 no hu: {why}", "不胡：{why}"),
    "no_division": ("no division (不成牌)", "不成牌"),
    "misfit": (": {tiles} tiles, {fitting} would fit", "，{tiles} 张，应有 {fitting} 张"),
    "misfit_1": (": 1 tile, {fitting} would fit", "，1 张，应有 {fitting} 张"),
    "low_xi": ("{xi} xi (胡息), {min_xi} needed", "{xi} 胡息，{min_xi} 胡息起胡"),
    "on_discard": ("not on a discard", "打出的牌不能胡"),
    "context": ("With: {told}", "情形：{told}"),
    "context_last_tile": ("the wall's last tile (海底)", "墩上最后一张"),
    "context_shown_tile": ("the shown tile (亮张)", "亮张"),
    "context_dealer": ("the dealer wins (庄家)", "庄家胡"),
    "context_untouched": ("no tile taken in before (未进张)", "没有进过张"),
    "context_first_discard": ("the discard that opens the hand (庄家首张)", "庄家打出的第一张"),
    "context_heaven": ("forced heaven (天胡)", "起手天胡"),
    "groups": ("Groups (门子)", "门子"),
    "left_over": ("Left over: {tiles}", "余牌：{tiles}"),
    "xi_title": ("xi (胡息)", "胡息"),
    "xi_and_tun": ("xi and tun (胡息, 囤)", "胡息与囤数"),
    "times": ("x", "×"),
    "xi_total": ("{sum} xi", "{sum} 胡息"),
    "enough": (", {min_xi} needed", "，{min_xi} 胡息起胡"),
    "enough_heaven": (", any number wins", "，多少都胡"),
    "route_dealt": ("A whole hand, without winning tile (整手).", "整手成牌。"),
    "route_single": ("The winning tile joins the free tiles (单张).", "所胡的牌与散牌成门。"),
    "route_wei": ("The own draw makes a wei (偎).", "自摸成偎。"),
    "route_ti": ("The own draw makes a ti (提).", "自摸成提。"),
    "route_wang": ("The wang (王) drawn joins those in hand.", "摸到的王与手中的王同用。"),
    "route_pao": ("The winning tile makes a pao (跑).", "所胡的牌成跑。"),
    "tianhu_times": ("With 天胡 the xi count {factor} times.", "天胡，胡息乘 {factor}。"),
    "tun_found": ("tun (囤) = {sum}", "囤数 = {sum}"),
    "tun_rounded": (", rounded down", "，不满不计"),
    "tun_least": (", never less", "，不足不计"),
    "base": ("Base: {base} tun", "共 {base} 囤"),
    "fan_met": ("{name} ({condition})", "{name}（{condition}）"),
    "by_itself": (", by itself", "，单独"),
    "counted_in": (": {value}, counted in {name}", "：{value}，计入{name}"),
    "not_beside": (": {value}, not beside {name}", "：{value}，有{name}不计"),
    "instead": ("{name} ({parts} together, in place of {sum})", "{name}（{parts}，不再是 {sum}）"),
    "no_fan_met": ("none (平胡)", "平胡"),
    "fan_total": ("{sum} fan", "{sum} 番"),
    "paid": ("Each loser pays {base} x {fan} = {payment}.", "输家各付 {base} × {fan} = {payment}。"),
    "paid_stake": (
        "With the stake of {stake} each loser pays {payment} x {stake} = {points}.",
        "底分 {stake}，输家各付 {payment} × {stake} = {points}。",
    ),
    "gained": ("The winner receives {gain}.", "赢家得 {gain}。"),
    "to_pay": ("Payment (付)", "付"),
}

# All there is to say; no key stands in two parts.
CATALOGUE = _WORDS | ADVICE_WORDS | ARENA_WORDS | PLAY_WORDS | REPLAY_WORDS


class Section(NamedTuple):
    """Some lines under a title."""

    title: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class Words:
    """The texts in one of LANGUAGES, by key; called with the values that stand in them. Raises ValueError."""

    language: str

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise ValueError(f"expected {' or '.join(LANGUAGES)} as language, got {self.language!r}")

    def __call__(self, key: str, /, **values: object) -> str:
        return self.choose(*CATALOGUE[key]).format(**values)

    def choose(self, english: str, chinese: str) -> str:
        """The text of two that is in the language."""
        return chinese if self.language == "zh" else english

    def listed(self, parts: Iterable[str]) -> str:
        """Texts with commas between."""
        return self("and").join(parts)


def default_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the user's locale, if there are words in it, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := environment.get(name):
            return "zh" if locale.lower().startswith("zh") else "en"
    return "en"
