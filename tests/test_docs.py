"""Everything that the documentation shows is run: Python sessions, command lines and docstring examples."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

import paohuzi

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(module.name for module in pkgutil.walk_packages(paohuzi.__path__, "paohuzi."))


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path, language: str) -> list[tuple[int, str]]:
    """Line number and text of every fenced block of one language."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start(2)), match[2])
        for match in FENCE.finditer(text)
        if match[1] == language
    ]


def check(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_python_sessions_of_a_page_run_as_shown(page: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, object] = {"__name__": "__main__"}
    for line, text in blocks_of(page, "python"):
        assert ">>>" in text, f"{page.name}:{line} is no session: start its lines with >>>"
        test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), line)
        test.globs = names  # one namespace a page: a later session goes on with the earlier one's names
        check(test)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_command_lines_of_a_page_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    for line, text in blocks_of(page, "console"):
        for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            result = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            shown = result.stdout + result.stderr
            agrees = doctest.OutputChecker().check_output(expected, shown, OPTIONS)
            assert agrees, f"{page.name}:{line}: $ {command}\nexpected:\n{expected}\ngot:\n{shown}"


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_of_a_module_run(name: str) -> None:
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        if test.examples:
            check(test)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_to_a_heading_find_it(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text("utf-8")):
        text = ((page.parent / target) if target else page).read_text("utf-8")
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        anchors = [re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings]
        assert anchor in anchors, f"{page.name} links to {target}#{anchor}"


def test_docstrings_cite_sections_that_exist() -> None:
    headings = re.findall(r"^#+ ([\d.]+) ", (ROOT / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE)
    for path in [
        *(ROOT / "src").rglob("*.py*"),
        *(ROOT / "csrc").glob("*pp"),
        *(ROOT / "tests").glob("*.py"),
    ]:
        if path.suffix == ".pyc":
            continue
        for cited in re.findall(
            r"docs/rules\.md ((?:\d[\d.]*(?:, | and |-| to )?)+)", path.read_text("utf-8")
        ):
            for section in re.findall(r"\d+(?:\.\d+)?", cited):
                assert section in headings, f"{path.name} cites docs/rules.md {section}"
