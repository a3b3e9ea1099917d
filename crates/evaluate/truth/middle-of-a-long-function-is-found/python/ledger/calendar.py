"""Days on which the shop is shut."""

from datetime import date

SHUT = {(1, 1), (1, 5), (25, 12), (26, 12)}


def is_shut(day: date):
    """Whether a day is a day off: Sunday or a holiday."""
    return day.weekday() == 6 or (day.day, day.month) in SHUT


def next_open_day(day):
    while is_shut(day):
        day = date.fromordinal(day.toordinal() + 1)
    return day
