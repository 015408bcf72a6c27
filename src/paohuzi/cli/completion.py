"""The command `completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]

PROGRAM = "paohuzi"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in your shell.

    \b
    Examples:
      eval "$(paohuzi completion bash)"                 # in ~/.bashrc
      eval "$(paohuzi completion zsh)"                  # in ~/.zshrc
      paohuzi completion fish > ~/.config/fish/completions/paohuzi.fish
    """
    found = get_completion_class(shell)
    assert found is not None, "click knows these shells"
    click.echo(found(ctx.find_root().command, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source())
