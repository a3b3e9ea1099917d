"""Names of those who work with the books."""


def author(entry):
    """Initials."""
    return "".join(it[0] for it in entry.split())


def code(initials):
    """A number for the punch card."""
    return sum(ord(it) for it in initials) % 97
