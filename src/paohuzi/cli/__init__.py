"""The command `paohuzi`."""

from .main import main as main

__all__ = ["main"]
