"""Exceptions of the package. Their texts are those of the command `sim`, with arguments in place of its options."""


class KnaveError(Exception):
    """Any error of Knave's own."""


class RequestError(KnaveError, ValueError):
    """What was asked is refused before any work: the text names the field, its value and what would be right."""


class RunError(KnaveError, RuntimeError):
    """Work failed, something was asked of a game that has ended, or a transcript was asked of one that has not."""


class BusyError(RequestError):
    """Another process writes to the folder, parts to join are not finished, or a `VectorEnv` plays: it can be done later."""
