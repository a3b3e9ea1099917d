"""The view that lists invoices."""

from .. import billing


def invoices_view(request):
    """Answers a request for invoices."""
    first, last = request.days("from", "until")
    chosen = [it for it in billing.between(first, last) if it.kind == "invoices"]
    return request.render("invoices.html", chosen=chosen)
