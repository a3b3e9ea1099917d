"""What goes out every day."""


def export_day(day, stream):
    <CURSOR: ledger/export/cents.py:to_cents>
