"""Quarters of a year."""


def quarter_bounds(year, quarter):
    """First and last month of a quarter of a fiscal year."""
    first_month = 3 * quarter - 2
    return (year, first_month), (year, first_month + 2)
