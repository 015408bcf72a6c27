"""Compare two results of `paohuzi bench --json`: python bench/compare.py BEFORE.json AFTER.json"""

import json
import sys
from pathlib import Path

RATES = ("M rows/s", "x")  # units of which more is better


def rows_of(path: str) -> dict[str, tuple[float, str]]:
    """Value and unit by job."""
    return {row["job"]: (row["value"], row["unit"]) for row in json.loads(Path(path).read_text())["rows"]}


def main(before_path: str, after_path: str) -> None:
    before, after = rows_of(before_path), rows_of(after_path)
    for job, (new, unit) in after.items():
        if job not in before:
            print(f"{job:52}{'new':>12}{new:>12.2f} {unit}")
            continue
        old = before[job][0]
        gain = new / old if unit in RATES else old / new
        print(f"{job:52}{old:>12.2f}{new:>12.2f} {unit:10}{gain:>6.2f}x as good")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
