"""Writes to members whose items are late."""


def send_reminder(member, items, mailer):
    """Sends one reminder for all late items of a member."""
    late = [item for item in items if item.is_late()]
    if late:
        mailer.send(member.address, reminder_text(member, late))


def reminder_text(member, late):
    """The text of a reminder, an item a line."""
    lines = [item.title for item in late]
    return "\n".join([f"Dear {member.name},", *lines])
