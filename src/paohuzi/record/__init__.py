"""Records of hands: events as JSON Lines, whole or as one seat saw them (docs/records.md)."""

from .checking import check_record, first_difference
from .compression import CompressionError
from .reading import Entry, read_entries, read_records
from .record import Record, decode_event, encode_event
from .recording import record_hand, start_event
from .schema import record_schema
from .writing import RecordWriter

__all__ = [
    "CompressionError",
    "Entry",
    "Record",
    "RecordWriter",
    "check_record",
    "decode_event",
    "encode_event",
    "first_difference",
    "read_entries",
    "read_records",
    "record_hand",
    "record_schema",
    "start_event",
]
