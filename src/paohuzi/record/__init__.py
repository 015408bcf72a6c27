"""Records of hands: events as JSON Lines, whole or as one seat saw them (docs/records.md)."""

from .record import Record, decode_event, encode_event
from .recording import record_hand, start_event

__all__ = ["Record", "decode_event", "encode_event", "record_hand", "start_event"]
