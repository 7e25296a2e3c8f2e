"""How positions and tables travel between processes."""

from typing import Any

from knave._knave import Game, Position, Table


def position(data: dict[str, Any]) -> Position:
    """The position after these moves of this deal."""
    game = Game(data["game"], data["rules"])
    deck, origin = data["deck"], {"seed": data["seed"], "index": data["index"]}
    found = game.deal(**origin) if deck is None else game.deal_deck(deck, **origin, short_deck=True)
    for text in data["moves"]:
        found.play(text)
    return found


def table(file: str, columns: list[tuple[str, str, list[Any]]]) -> Table:
    """The table of this file with these columns, each with its name, its type and its cells."""
    return Table._made(file, columns)
