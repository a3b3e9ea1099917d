"""Numbers for the owner."""


def owners_line(invoices, today):
    <CURSOR:>
    for invoice in invoices:
        ageing.place_debt((today - invoice.due_on).days, invoice.cents)
    return f"{ageing.share_overdue():.0%} are overdue"
