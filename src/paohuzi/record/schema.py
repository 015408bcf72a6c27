"""The JSON Schema of a line of a record (docs/records.md)."""

from __future__ import annotations

from typing import Any

import msgspec

from .events import PROTOCOL, VERSION, Event

__all__ = ["record_schema"]


def record_schema() -> dict[str, Any]:
    """The schema that every line of a record follows, made from the types of the events.

    >>> record_schema()["title"]
    'paohuzi-record, version 1: one event'
    """
    (schema,), parts = msgspec.json.schema_components([Event], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{PROTOCOL}, version {VERSION}: one event",
        **schema,
        "$defs": parts,
    }
