"""Ctrl-C reaches what the tests start, also where they run in the background of a shell, which ignores it."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
