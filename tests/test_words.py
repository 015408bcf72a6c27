"""The catalogue of words: both languages, told alike."""

import re
from string import Formatter

import pytest

from paohuzi.words import CATALOGUE, LANGUAGES, Words

# Names that an English text has beside the Chinese one.
ONLY_ENGLISH = {"english"}
LATIN_MEANT = re.compile(r"{[^}]*}|--[a-z]+ FILE|\bh\b|\bq\b|\bn\b|\bb\b|\bN\b|\bB\b")


def values_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", CATALOGUE)
def test_a_text_has_both_languages_with_the_same_values(key: str) -> None:
    english, chinese = CATALOGUE[key]
    assert values_of(chinese) == values_of(english) - ONLY_ENGLISH
    assert all(name.isidentifier() for name in values_of(english))
    assert bool(english) == bool(chinese)


@pytest.mark.parametrize("key", CATALOGUE)
def test_a_chinese_text_has_no_english_words(key: str) -> None:
    assert not re.search(r"[A-Za-z]{2,}", LATIN_MEANT.sub("", CATALOGUE[key][1])), CATALOGUE[key][1]


def test_the_parts_of_the_catalogue_have_no_key_in_common() -> None:
    from paohuzi import words

    parts = [value for name, value in vars(words).items() if name.endswith("_WORDS")]
    assert len(parts) > 1
    assert sum(map(len, parts)) == len(CATALOGUE)


def test_words_are_said_in_their_language() -> None:
    assert [Words(language).choose("a", "b") for language in LANGUAGES] == ["a", "b"]
    assert Words("en")("wang_n", wang=2).startswith("2 wangs")
    with pytest.raises(ValueError, match="expected en or zh as language, got 'fr'"):
        Words("fr")
