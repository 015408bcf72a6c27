"""What `paohuzi advise` says. Key: English, Chinese. A part of the catalogue of words.py."""

from __future__ import annotations

__all__ = ["ADVICE_WORDS"]

ADVICE_WORDS = {
    # the table of discards
    "advise_discard": ("discard", "打"),
    "advise_distance": ("distance", "距听"),
    "advise_left": ("left", "进张"),
    "advise_pays": ("pays", "最高"),
    "advise_mean": ("mean", "平均"),
    "advise_chi": ("chi", "吃"),
    "advise_peng": ("peng", "碰"),
    "advise_pao": ("pao", "跑"),
    "advise_improving": ("improving", "进哪些"),
    # why
    "advise_why": ("{tile}: {reasons}", "打 {tile}：{reasons}"),
    "advise_and": ("; ", "；"),
    "advise_no_win": (
        "no discard leaves a hand that can win, so the least danger counts",
        "打哪张都胡不了，先打别家用处最小的",
    ),
    "advise_ready": ("{only}ready (听) for {copies} copies{pay}", "{only}听牌，可胡 {copies} 张{pay}"),
    "advise_steps": (
        "{only}{steps} from ready for {copies} copies{pay}",
        "{only}离听 {steps} 张，进张 {copies} 张{pay}",
    ),
    "advise_complete": ("{only}complete (胡){pay}", "{only}已胡{pay}"),
    "advise_only": ("alone ", "只有此张可"),
    "advise_pay": (", expected payment {payment}", "，平均付 {payment}"),
    "advise_risk": (
        "{kind}, {ways} ways to take it, up to {xi} xi for others{hu}",
        "{kind}，别家有 {ways} 种进法，最多得 {xi} 息{hu}",
    ),
    "advise_familiar": ("familiar (熟)", "熟张"),
    "advise_new": ("new (生)", "生张"),
    "advise_hu": (", may be won on", "，可能放炮"),
    # the tiles that help
    "advise_far": ("distance {steps}", "距听 {steps}"),
    "advise_to": ("to {steps}", "后 {steps}"),
    "advise_equal": (" (or {tiles})", "（或 {tiles}）"),
    "advise_steps_none": ("no win", "胡不了"),
    "advise_steps_hu": ("-1 hu (胡)", "-1 胡"),
    "advise_steps_ready": ("0 ready (听)", "0 听"),
    "advise_nothing": ("No tile brings it nearer.", "没有进张。"),
    "advise_from": ("{english} ({source})", "{source}"),
    "advise_then": ("{how}, discard {tile}", "{how}，打 {tile}"),
    "advise_take_hu": ("hu", "胡"),
    "advise_take_peng": ("peng", "碰"),
    "advise_take_wei": ("wei", "偎"),
    "advise_take_ti": ("ti", "提"),
    "advise_take_pao": ("pao", "跑"),
    "advise_take_wang": ("wang", "王入手"),
    "advise_take_chi": ("chi {groups}", "吃 {groups}"),
}
