"""Files plain, .gz or .zst: what is written can be read up to the last flush, also after a kill."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from ..tiles import NotationError

__all__ = ["Chunks", "CompressionError", "Compressor", "compressor"]

CHUNK = 1 << 20
COMPRESSED_CHUNK = 1 << 12  # that no small file fills the memory
GZIP = 16 + zlib.MAX_WBITS


class CompressionError(ValueError):
    """A kind of file that cannot be read or written here."""


class Compressor(Protocol):
    """What turns data into the bytes of a file."""

    def feed(self, data: bytes) -> bytes:
        """The bytes from which all data so far can be read."""
        ...

    def finish(self) -> bytes:
        """The bytes that close the file."""
        ...


class Plain:
    """Bytes as they are."""

    def feed(self, data: bytes) -> bytes:
        return data

    def finish(self) -> bytes:
        return b""


class Gzip:
    """One gzip member."""

    def __init__(self) -> None:
        self._made = zlib.compressobj(wbits=GZIP)

    def feed(self, data: bytes) -> bytes:
        return self._made.compress(data) + self._made.flush(zlib.Z_SYNC_FLUSH)

    def finish(self) -> bytes:
        return self._made.flush()


class Zstandard:
    """One frame of zstandard, by the package of that name."""

    def __init__(self) -> None:
        self._package = _zstandard()
        self._made = self._package.ZstdCompressor().compressobj()

    def feed(self, data: bytes) -> bytes:
        made: bytes = self._made.compress(data) + self._made.flush(self._package.COMPRESSOBJ_FLUSH_BLOCK)
        return made

    def finish(self) -> bytes:
        made: bytes = self._made.flush()
        return made


class Kind(NamedTuple):
    """A kind of file: how it is written and read."""

    compressor: Callable[[], Compressor]
    decompressor: Callable[[], Any] | None  # with decompress, eof and unused_data; None for plain bytes


def _zstandard() -> Any:
    try:
        return import_module("zstandard")
    except ImportError:
        message = "expected the package zstandard for a file *.zst: pip install 'paohuzi[zst]'"
        raise CompressionError(message) from None


_PLAIN = Kind(Plain, None)
_KINDS = {
    ".gz": Kind(Gzip, lambda: zlib.decompressobj(wbits=GZIP)),
    ".zst": Kind(Zstandard, lambda: _zstandard().ZstdDecompressor().decompressobj()),
}


def _kind(path: Path) -> Kind:
    return _KINDS.get(path.suffix.lower(), _PLAIN)


def compressor(path: Path) -> Compressor:
    """A new compressor for a file. Raises CompressionError."""
    return _kind(path).compressor()


class Chunks:
    """The data of an open file, in chunks. Iterating raises NotationError for what cannot be decompressed."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.is_broken = False
        """Whether the file broke off, once all has been read: then nothing can be appended to it."""
        self._file = file
        self._new = _kind(path).decompressor

    def __iter__(self) -> Iterator[bytes]:
        if self._new is None:
            yield from iter(lambda: self._file.read(CHUNK), b"")
            return
        part = None  # a file may be several compressed ones, one after the other
        for data in iter(lambda: self._file.read(COMPRESSED_CHUNK), b""):
            while data:
                part = self._new() if part is None else part
                yield self._decompressed(part, data)
                data, part = (part.unused_data, None) if part.eof else (b"", part)
        self.is_broken = part is not None

    def _decompressed(self, part: Any, data: bytes) -> bytes:
        try:
            made: bytes = part.decompress(data)
        except Exception as error:  # zlib.error, and ZstdError of a package that may not be there
            kind = f"a file *{self.path.suffix}"
            raise NotationError(f"{self.path}: expected {kind}, got what is none: {error}") from None
        return made
