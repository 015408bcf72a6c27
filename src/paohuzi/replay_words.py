"""What `paohuzi replay` says. Key: English, Chinese. A part of the catalogue of words.py."""

from __future__ import annotations

__all__ = ["REPLAY_WORDS"]

REPLAY_WORDS = {
    # a hand
    "replay_hand": ("Hand {hand} · {rules} · dealer (庄) {who}", "第 {hand} 局 · {rules} · 庄家 {who}"),
    "replay_view": (" · as {who} saw it", " · {who} 所见"),
    "replay_deal": ("The hands are dealt; shown (亮张) {tile}", "发牌，亮张 {tile}"),
    "replay_wall": ("wall (墩) {count}", "墩 {count} 张"),
    "replay_held": ("in hand", "手牌"),
    "replay_exposed": ("exposed", "进牌"),
    "replay_lying": ("lying", "弃牌"),
    "replay_pending": ("{who}: {tile}", "{who}：{tile}"),
    "replay_sits_out": ("sits out (坐底)", "坐底"),
    "replay_keys": (
        "n next · b back · N next hand · B hand before · q quit",
        "n 下一步 · b 上一步 · N 下一局 · B 上一局 · q 退出",
    ),
    # its events
    "replay_draw": ("{who} draws {tile}", "{who} 摸 {tile}"),
    "replay_draw_hidden": ("{who} draws {tile}, unseen by the others", "{who} 暗摸 {tile}"),
    "replay_discard": ("{who} discards {tile}", "{who} 打 {tile}"),
    "replay_chi": (
        "{who} takes {tile} of {target} by chi (吃): {groups}",
        "{who} 吃 {target} 的 {tile}：{groups}",
    ),
    "replay_bi": ("{chi}, with bi (比) {bi}", "{chi}，比 {bi}"),
    "replay_peng": ("{who} takes {tile} of {target} by peng (碰)", "{who} 碰 {target} 的 {tile}"),
    "replay_wei": ("{who} lays out wei (偎) of {tile}", "{who} 偎 {tile}"),
    "replay_chouwei": ("{who} lays out chouwei (臭偎) of {tile}", "{who} 臭偎 {tile}"),
    "replay_ti": ("{who} lays out ti (提) of {tile}", "{who} 提 {tile}"),
    "replay_pao": ("{who} takes {tile} of {target} by pao (跑)", "{who} 跑 {target} 的 {tile}"),
    "replay_skip": ("{who} does not discard", "{who} 不打牌"),
    "replay_pass": ("{who} passes {what} on {tile} of {target}", "{who} 过，不{what} {target} 的 {tile}"),
    "replay_hu": ("{who} wins (胡)", "{who} 胡"),
    "replay_hu_tile": ("{who} wins (胡) on {tile} of {target}", "{who} 胡 {target} 的 {tile}"),
    "replay_reckoning": (
        "{xi} xi (胡息), {base} tun (囤) x {fan} fan (番) = {payment}{fans}",
        "{xi} 胡息，{base} 囤 × {fan} 番 = {payment}{fans}",
    ),
    "replay_fans": (": {fans}", "：{fans}"),
    "replay_draw-game": ("The wall is empty, nobody wins (荒庄)", "墩空，荒庄"),
    "replay_leave": ("{who} leaves the table", "{who} 离桌"),
    "replay_end": ("Points: {points}", "得分：{points}"),
    "replay_points": ("{who} {delta} ({total})", "{who} {delta}（{total}）"),
    "replay_forced": (" (by itself)", "（强制）"),
    "replay_question_hu": ("hu (胡)", "胡"),
    "replay_question_peng": ("peng (碰)", "碰"),
    "replay_question_chi": ("chi (吃)", "吃"),
    # the check
    "replay_checked": (
        "{hands} hands, {bad} of them not as the rules say",
        "共 {hands} 局，{bad} 局与规则不符",
    ),
    "replay_empty": ("no hands in {path}", "{path} 中没有牌局"),
}
