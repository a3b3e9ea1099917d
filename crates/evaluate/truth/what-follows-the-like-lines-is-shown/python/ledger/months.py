"""Reports by month."""

from ledger.money import Money


def monthly_report(ledger, month, writer):
    """Writes all bookings of a month."""
    for booking in ledger.bookings(month):
        writer.row(booking.day, booking.amount)
    summary = writer.section("Summary of the month")
    summary.heading(month.title, month.first_day, month.last_day)
    summary.line("booked", ledger.booked(month))
    summary.line("cancelled", ledger.cancelled(month))
    <CURSOR:>
