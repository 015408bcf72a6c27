"""The shape of the tree: who may use whom, what a file may be called, what it may not mention.

The order of the layers is read from the picture in ARCHITECTURE.md, so the picture cannot go out of date.
"""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "paohuzi"
VAGUE_NAMES = re.compile(r"(^|[_-])(utils?|helpers?|common|misc|managers?)([_-]|$)")
TEXT_SUFFIXES = {
    *(".py", ".pyi", ".pyx", ".pxd", ".cpp", ".hpp", ".md", ".toml", ".txt", ".svg", ".json", ".jsonl"),
    *(".csv", ".yml", ".yaml", ".cfg", ".cmake", ""),
}
PRIVATE_PATH = re.compile(r"(?<![\w./~$}>-])/(home|root|work|Users)/")
OUTWARD_PATH = re.compile(r"(?<![\w./])(?:\.\./)+[\w./-]*")


def read_layers(language: str) -> dict[str, int]:
    """Layer names of one language with their height, 0 the lowest."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    line = re.search(rf"^{re.escape(language)} +(.+)$", text, re.MULTILINE)
    assert line, f"ARCHITECTURE.md has no line of {language} layers"
    layers = line[1].split(" > ")
    return {
        name.strip(): height for height, names in enumerate(reversed(layers)) for name in names.split(",")
    }


PYTHON_LAYERS = read_layers("Python")
CPP_LAYERS = read_layers("C++")


def project_files() -> Iterator[Path]:
    """Every file of the project: what .gitignore names, and git's own files, are left out."""
    ignored = [
        line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if line
    ]
    for folder, folders, files in os.walk(ROOT):
        here = Path(folder)
        folders[:] = [name for name in folders if name != ".git" and not is_ignored(here / name, ignored)]
        yield from (here / name for name in files if not is_ignored(here / name, ignored))


def is_ignored(path: Path, patterns: list[str]) -> bool:
    relative = path.relative_to(ROOT)
    return any(relative.match(pattern) or str(relative) == pattern for pattern in patterns)


def layer_of(module: str) -> str:
    """'paohuzi.cli.solve' belongs to the layer 'cli'; the package itself has none."""
    return module.split(".")[1] if "." in module else ""


def python_sources() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*.p*"))
        if path.suffix in {".py", ".pyi", ".pyx", ".pxd", ".pxi"}
    ]


def module_name(path: Path) -> str:
    if path.suffix == ".pxi":  # a part of the one module that includes it
        path = next(
            pyx for pyx in PACKAGE.glob("*.pyx") if f'include "{path.name}"' in pyx.read_text("utf-8")
        )
    parts = list(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path) -> set[str]:
    """Full names of our own modules that a Python or Cython file imports or cimports, at any depth."""
    package = module_name(path) if path.stem == "__init__" else module_name(path).rpartition(".")[0]
    text = path.read_text(encoding="utf-8")
    found = set()
    for module, names in imports_of(text) if path.suffix in {".py", ".pyi"} else cython_imports_of(text):
        base = absolute_name(module, package)
        if (PACKAGE.parent / base.replace(".", "/")).is_dir():
            found |= {f"{base}.{name}" for name in names} or {base}
        else:
            found.add(base)
    return {name for name in found if name.split(".")[0] == "paohuzi"}


def imports_of(text: str) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), [alias.name for alias in node.names]


def cython_imports_of(text: str) -> Iterator[tuple[str, list[str]]]:
    for match in re.finditer(r"^\s*from\s+([\w.]+)\s+c?import\s+(\([^)]*\)|.+)$", text, re.MULTILINE):
        yield match[1], re.findall(r"(\w+)(?:\s+as\s+\w+)?\s*(?:,|$|\))", match[2])
    for match in re.finditer(r"^\s*c?import\s+([\w.]+)", text, re.MULTILINE):
        yield match[1], []


def quoted_includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def absolute_name(module: str, package: str) -> str:
    level = len(module) - len(module.lstrip("."))
    if level == 0:
        return module
    parent = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join([*parent, *filter(None, [module[level:]])])


@pytest.mark.parametrize("path", python_sources(), ids=module_name)
def test_a_python_file_imports_only_what_stands_below_it(path: Path) -> None:
    layer = layer_of(module_name(path))
    if not layer:
        return
    assert layer in PYTHON_LAYERS, f"{path.name}: give this file a place in the picture of ARCHITECTURE.md"
    for name in imported_modules(path):
        other = layer_of(name)
        assert other in PYTHON_LAYERS, f"{path.name} imports {name}: name the module that defines it"
        below = other == layer or PYTHON_LAYERS[other] < PYTHON_LAYERS[layer]
        assert below, f"{path.name} imports {name}, which is not below it"


@pytest.mark.parametrize("path", sorted((ROOT / "csrc").glob("*.[ch]pp")), ids=lambda path: path.name)
def test_a_cpp_file_includes_only_what_stands_below_it(path: Path) -> None:
    assert path.stem in CPP_LAYERS, f"{path.name}: give this file a place in the picture of ARCHITECTURE.md"
    for name in quoted_includes(path):
        stem = Path(name).stem
        assert stem == path.stem or CPP_LAYERS[stem] < CPP_LAYERS[path.stem], f"{path.name} includes {name}"


@pytest.mark.parametrize("folder", ["tables", "tests/reference"])
def test_generators_and_twins_use_nothing_of_ours(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        modules = {module.split(".")[0] for module, _ in imports_of(path.read_text(encoding="utf-8"))}
        assert "paohuzi" not in modules, f"{folder}/{path.name} imports paohuzi"
    for path in (ROOT / folder).glob("*.[ch]pp"):
        for name in quoted_includes(path):
            assert (path.parent / name).exists(), (
                f"{folder}/{path.name} includes {name}, which is not beside it"
            )


def test_the_core_knows_no_python() -> None:
    for path in (ROOT / "csrc").glob("*.[ch]pp"):
        includes = re.findall(r"#\s*include\s+[<\"]([^>\"]+)", path.read_text(encoding="utf-8"))
        assert not {"Python.h", "iostream", "cstdio", "numpy/arrayobject.h"} & set(includes), path.name


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("__init__.py")), ids=module_name)
def test_an_init_file_only_re_exports(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_all = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        assert is_docstring or is_all or isinstance(node, ast.ImportFrom), ast.unparse(node)


def test_no_file_has_a_name_that_says_nothing() -> None:
    named = [path for path in project_files() if VAGUE_NAMES.search(path.stem.lower())]
    assert not named, f"say what is inside: {[str(path.relative_to(ROOT)) for path in named]}"


def test_no_file_mentions_a_place_outside_the_checkout() -> None:
    for path in project_files():
        if path.suffix not in TEXT_SUFFIXES:
            continue
        text = path.read_text(encoding="utf-8")
        assert not PRIVATE_PATH.search(text), f"{path.relative_to(ROOT)} names a folder of one machine"
        for match in OUTWARD_PATH.finditer(text):
            target = (path.parent / match[0]).resolve()
            inside = target.is_relative_to(ROOT) and target.exists()
            assert inside, f"{path.relative_to(ROOT)} names {match[0]}, which is not in the checkout"
