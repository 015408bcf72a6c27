"""The command `deal`."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from ..columns import Queries
from ..rules import Rules, load_rules
from ..samples import deal_chunks, played_state_chunks
from ..tiles import WANG_MAX
from .deal_files import DEAL_SUFFIXES, first_rows, text_lines, write_deals
from .options import fail, rules_option

__all__ = ["deal"]

FAILED = 2  # exit code
SEED_BITS, SEED_BITS_MAX = 32, 64
PRESETS_BY_WANG = ("qq-basic", "yongzhou", "yongzhou", "yongzhou-4", "yongzhou-4")
STANDARD_OUTPUT = Path("-")


def _check_out(_ctx: click.Context, _param: click.Parameter, out: Path) -> Path:
    if out != STANDARD_OUTPUT and out.suffix.lower() not in DEAL_SUFFIXES:
        raise click.BadParameter(f"expected a file named {' '.join(DEAL_SUFFIXES)}, or -, got {out.name!r}")
    return out


@click.command()
@click.option("--hands", "count", type=click.IntRange(1), required=True, metavar="N", help="How many hands.")
@click.option(
    "--exposed", is_flag=True, help="Mid-game states: exposed groups, a winning tile and its source."
)
@click.option(
    "--wang",
    type=click.IntRange(0, WANG_MAX),
    help="Wangs (王) in the deck, 0 to 4; those of the rules if left out.",
)
@click.option(
    "--tiles",
    type=click.Choice(["20", "21"]),
    default="21",
    show_default=True,
    help="Tiles of a deal: 21 make a whole hand, 20 one that waits.",
)
@click.option("--seed", type=click.IntRange(0), metavar="S", help="The same seed deals the same hands.")
@click.option(
    "--packed", is_flag=True, help="Columns hand (uint64), exposed, win and source, no text: faster."
)
@click.option(
    "-o",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_check_out,
    required=True,
    metavar="FILE",
    help=f"The file to write: {' '.join(DEAL_SUFFIXES)}, or - to print text.",
)
@rules_option
def deal(
    count: int,
    exposed: bool,
    wang: int | None,
    tiles: str,
    seed: int | None,
    packed: bool,
    out: Path,
    rules: Rules,
) -> None:
    """Write random realistic hands for testing and demonstration.

    Without --exposed they are deals from a shuffled deck, of which few win. With it they are taken from
    games between bots: what a player with an exposed group holds while a tile comes up that somebody may
    take, and the tile. A larger N of the same seed begins with the hands of the smaller.

    \b
    Examples:
      paohuzi deal --hands 1000000 -o deals.parquet
      paohuzi deal --hands 1000 --exposed --wang 4 --seed 7 -o states.csv
      paohuzi deal --hands 20 --exposed -o - | paohuzi solve -
    """
    if exposed and out.suffix.lower() == ".npy":
        raise click.UsageError("an NPY file holds concealed hands only, leave out --exposed")
    if seed is None:
        seed = secrets.randbits(SEED_BITS)
    wang = rules.wang if wang is None else wang
    chunks = _played(rules, wang, seed) if exposed else _concealed(int(tiles), wang, seed)
    hands = first_rows(chunks, count)
    if out == STANDARD_OUTPUT:
        for lines in text_lines(hands):
            click.echo(lines, nl=False)
        return
    try:
        write_deals(out, hands, count, exposed=exposed, packed=packed)
    except ImportError:
        fail(f"{out.suffix} files need pyarrow: pip install 'paohuzi[files]'")
        sys.exit(FAILED)
    except OSError as error:
        fail(f"{out}: cannot be written: {error.strerror or error}")
        sys.exit(FAILED)
    click.echo(f"{count:,} hands of seed {seed} in {out}", err=True)


def _played(rules: Rules, wang: int, seed: int) -> Iterator[Queries]:
    """States of games by these rules or, where they have another number of wangs, by those of a preset."""
    if wang != rules.wang:
        rules = replace(load_rules(PRESETS_BY_WANG[wang]), wang=wang)
    return played_state_chunks(rules=rules, seed=seed % (1 << SEED_BITS_MAX))


def _concealed(tiles: int, wang: int, seed: int) -> Iterator[Queries]:
    return (Queries(hands) for hands in deal_chunks(tiles=tiles, wang=wang, seed=seed))
