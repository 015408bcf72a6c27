"""What a win pays, and why (docs/rules.md 3.6 and 5)."""

from .score import NO_CONTEXT, Context, FanCount, Score, score, wait_scores

__all__ = ["NO_CONTEXT", "Context", "FanCount", "Score", "score", "wait_scores"]
