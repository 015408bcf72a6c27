"""The file formats by extension, and what can go wrong with files."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError  # the head of an npy file is a Python literal

import pyarrow as pa

__all__ = ["INPUT_FORMATS", "OUTPUT_FORMATS", "AnalysisError", "format_of", "reading", "writing"]

PARQUET, ARROW, CSV, NDJSON, NPY = "parquet", "arrow", "csv", "ndjson", "npy"
OUTPUT_FORMATS = {
    ".parquet": PARQUET,
    ".arrow": ARROW,
    ".feather": ARROW,
    ".csv": CSV,
    ".ndjson": NDJSON,
    ".jsonl": NDJSON,
}
INPUT_FORMATS = OUTPUT_FORMATS | {".npy": NPY}


class AnalysisError(Exception):
    """A file that cannot be read, written or understood as a whole. The message is for the user."""

    kept: Path | None = None
    """Where the finished part of the run is."""


def format_of(path: Path, formats: dict[str, str]) -> str:
    """The format that goes with a path's extension. Raises AnalysisError."""
    name = formats.get(path.suffix.lower())
    if name is None:
        raise AnalysisError(
            f"{path}: expected a file named {' '.join(formats)}, got {path.suffix or 'no extension'!r}"
        )
    return name


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever an unreadable or damaged file raises into an AnalysisError that names it."""
    try:
        yield
    except FileNotFoundError:
        raise AnalysisError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise AnalysisError(f"{path}: expected a file, got a directory") from None
    except PermissionError:
        raise AnalysisError(f"{path}: no permission to read it") from None
    except (OSError, pa.ArrowException, ValueError, EOFError, SyntaxError, TokenError) as error:
        raise AnalysisError(f"{path}: unreadable or truncated: {first_line(error)}") from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn whatever writing raises into an AnalysisError that names the output."""
    try:
        yield
    except OSError as error:
        number = error.errno if error.errno is not None else getattr(error.__cause__, "errno", None)
        if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or "No space left" in str(error):
            raise AnalysisError(f"{path}: no space left to write it ({first_line(error)})") from error
        raise AnalysisError(f"{path}: cannot be written: {first_line(error)}") from error
    except pa.ArrowException as error:
        raise AnalysisError(f"{path}: cannot be written: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """The part of a message that helps a user."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
