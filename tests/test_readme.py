"""README.zh.md says in Chinese what README.md says: the same sections, code, figures and links."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, CHINESE = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def without_code(text: str) -> str:
    return FENCE.sub("", text)


def sections(text: str) -> list[str]:
    """The text under each heading."""
    return re.split(r"^#+ .*$", without_code(text), flags=re.MULTILINE)


def headings(text: str) -> list[str]:
    return [match[1] for match in re.finditer(r"^(#+) ", without_code(text), re.MULTILINE)]


def code_blocks(text: str) -> list[tuple[str, str]]:
    """Language and code of every block, without the comments, which are in the language of the page."""
    return [
        (language, re.sub(r" +# .*$", "", code, flags=re.MULTILINE)) for language, code in FENCE.findall(text)
    ]


def links(text: str) -> list[str]:
    """Where the links lead, in order; those between the two pages are left out."""
    return [target for target in re.findall(r"\]\(([^)]+)\)", text) if not target.startswith("README")]


def numbers(text: str) -> list[str]:
    """The figures of every row of a table, in any order within the row."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return ["|".join(sorted(re.findall(r"\d[\d.,]*\d|\d", row))) for row in rows]


def test_both_have_the_same_headings() -> None:
    assert headings(CHINESE) == headings(ENGLISH)


@pytest.mark.parametrize("part", [code_blocks, links, numbers])
def test_both_have_the_same(part) -> None:
    for english, chinese in zip(part(ENGLISH), part(CHINESE), strict=True):
        assert chinese == english


def test_every_section_mentions_the_same_code() -> None:
    for english, chinese in zip(sections(ENGLISH), sections(CHINESE), strict=True):
        mentioned = [sorted(re.findall(r"`[^`]+`", text)) for text in (english, chinese)]
        assert mentioned[0] == mentioned[1]


def test_they_lead_to_one_another() -> None:
    assert "(README.zh.md)" in ENGLISH
    assert "(README.md)" in CHINESE
