"""Members of the library and what they chose."""


class Wishes:
    """What a member asked for."""

    reminders: int = 3
    newsletter: bool = False


def wishes_of(member):
    """The member's wishes, or the usual ones."""
    return member.wishes or Wishes()
