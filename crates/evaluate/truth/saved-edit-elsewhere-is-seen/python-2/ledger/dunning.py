"""When customers are reminded of what they owe."""

from datetime import timedelta

STEPS = [timedelta(days=7), timedelta(days=14), timedelta(days=30)]


def step_of(reminders_sent):
    return STEPS[min(reminders_sent, len(STEPS) - 1)]

<ADDED>
def next_reminder_date(account, reminders_sent):
    """The day of the next mail; None once everything is paid."""
    if not account.balance():
        return None
    return account.last_posting().booked_on + step_of(reminders_sent)
</ADDED>
