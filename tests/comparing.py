"""The same question put to the package and to the twin, with answers as plain texts and numbers.

Faces and groups are compared by their notation.
"""

from collections.abc import Mapping

from drafts import Options
from hypothesis import reject
from reference import solver_twin as twin

from paohuzi import IllegalHand, Query, Rules, Solution, Tile, XiTable

METHODS = ("table", "backtrack")
# What any rules divide, these divide.
FREEST = twin.Options(kan_splittable=True, self_draw_forced=False)

Answer = tuple[int, str | None, tuple[str, ...]]  # xi, route, groups


def rules_of(options: Options) -> Rules:
    return Rules("drawn", **{**options, "xi": XiTable(**options["xi"])})


def twin_options(options: Options) -> twin.Options:
    return twin.Options(**{**options, "xi": twin.XiTable(**options["xi"])})


def parse_legal(text: str) -> Query:
    """The query of a text; one of impossible size is passed over, but no rules may let it be divided."""
    try:
        return Query.parse(text)
    except IllegalHand:
        can_be_divided = twin.best_xi(twin.parse_query(text), FREEST) is not None
        assert not can_be_divided, "a query that can be divided is called illegal"
        reject()


def answer_of(solution: Solution) -> Answer | None:
    """xi, route and groups of a solution, None where there is no division."""
    if solution.xi is None:
        return None
    return solution.xi, solution.route, tuple(map(str, solution.groups))


def twin_answer(division: twin.Division | None) -> Answer | None:
    if division is None:
        return None
    return division.xi, division.route, twin.format_groups(division.groups)


def waits_as_texts(waits: Mapping[Tile, Solution]) -> dict[str, int | None]:
    """xi of each wait by the notation of its face."""
    return {str(tile): solution.xi for tile, solution in waits.items()}
