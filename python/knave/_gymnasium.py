"""The environments by name."""


def register() -> None:
    """Registers the environments with Gymnasium: `gymnasium.make("knave/Dungeon-v0")`. Importing `knave` does so."""
    import gymnasium

    for game in ("dungeon", "verslun"):
        gymnasium.register(
            id=f"knave/{game.capitalize()}-v0",
            entry_point="knave.envs:SoloEnv",
            vector_entry_point="knave.envs:VectorEnv",
            kwargs={"game": game},
        )
