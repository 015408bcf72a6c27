"""What `paohuzi arena` says. Key: English, Chinese. A part of the catalogue of words.py."""

from __future__ import annotations

__all__ = ["ARENA_WORDS"]

ARENA_WORDS = {
    "arena_bot": ("bot", "机器人"),
    "arena_points": ("a hand", "每局得分"),
    "arena_interval": ("95 %", "95% 区间"),
    "arena_wins": ("wins 胡", "胡"),
    "arena_share": ("share", "胡牌率"),
    "arena_deal_in": ("deal-in 放炮", "放炮率"),
    "arena_time": ("ms/decision", "每步毫秒"),
    "arena_hands": (
        "{hands} hands of {rules}: {sets} walls (墩), each in {seatings} orders of the seats; "
        "drawn (荒庄) {drawn}",
        "{rules} {hands} 局：{sets} 副牌，每副换 {seatings} 种座次；荒庄 {drawn}",
    ),
    "arena_seed": ("seed {seed}, {seconds} s", "种子 {seed}，{seconds} 秒"),
    "arena_resumed": ("{sets} walls of them from the file", "其中 {sets} 副取自文件"),
    "arena_one_set": ("One wall has no interval.", "只有一副牌，没有区间。"),
    "arena_difference": (
        "{name} against the others: {difference} points a hand",
        "{name} 与其他相比：每局 {difference} 分",
    ),
    "arena_high": (
        "Decided: rather {high} than {low} (log-likelihood ratio {llr}, bounds ±{bound}).",
        "已定：更像 {high}，不像 {low}（对数似然比 {llr}，界 ±{bound}）。",
    ),
    "arena_low": (
        "Decided: rather {low} than {high} (log-likelihood ratio {llr}, bounds ±{bound}).",
        "已定：更像 {low}，不像 {high}（对数似然比 {llr}，界 ±{bound}）。",
    ),
    "arena_undecided": (
        "Undecided between {low} and {high} (log-likelihood ratio {llr}, bounds ±{bound}).",
        "未定：{low} 还是 {high}（对数似然比 {llr}，界 ±{bound}）。",
    ),
    "arena_too_few": (
        "Not tested: the test begins with {least} walls, {hands} hands; {sets} were played.",
        "未检验：满 {least} 副牌（{hands} 局）才开始，现有 {sets} 副。",
    ),
    "arena_interrupted": ("Interrupted.", "已中断。"),
    "arena_kept": (
        "Kept in {file}; the same command with {option} goes on.",
        "已存入 {file}，同一命令加 {option} 继续。",
    ),
    "arena_dropped": (
        "{file}: removed {bytes} bytes of a line that was not finished",
        "{file}：去掉未写完的一行，共 {bytes} 字节",
    ),
    "arena_plotted": ("Plot in {file}", "图在 {file}"),
}
