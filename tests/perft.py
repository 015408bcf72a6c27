"""Counting the legal action sequences from a fixed deal. Without the package.

Draws do not branch: the wall is fixed. A hand that ends sooner has no sequence of the length asked for.
"""

from collections.abc import Callable

from walls import Table

Start = Callable[[], Table]  # the same deal each time


def after(start: Start, line: tuple[str, ...]) -> Table:
    game = start()
    for action in line:
        game.apply(action)
    return game


def perft(start: Start, depth: int, line: tuple[str, ...] = ()) -> int:
    """How many sequences of so many actions there are after the line."""
    if depth == 0:
        return 1
    actions = list(after(start, line).actions)
    if depth == 1:
        return len(actions)
    return sum(perft(start, depth - 1, (*line, action)) for action in actions)


def divide(start: Start, depth: int, line: tuple[str, ...] = ()) -> dict[str, int]:
    """The same by first action, to find where two engines part."""
    actions = sorted(after(start, line).actions)
    return {action: perft(start, depth - 1, (*line, action)) for action in actions}
