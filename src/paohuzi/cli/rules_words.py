"""The words of the command `rules` in English and in Chinese."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["LANGUAGES", "Words", "default_language"]

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
}


@dataclass(frozen=True, slots=True)
class Words:
    """The texts in one language, by key; called with the values that stand in them."""

    language: str

    def __call__(self, key: str, **values: object) -> str:
        return self.choose(*_WORDS[key]).format(**values)

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
