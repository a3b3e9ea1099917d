"""The view that sends the journal."""


def journal_export_view(request, throttle, now):
    """Answers a request for the journal, unless the person's throttle says no."""
    name = request.person.name
    if not throttle.<CURSOR: ledger/throttling.py:Throttle>:
        return request.refuse("journal")
    return request.render("journal.csv", rows=request.rows())
