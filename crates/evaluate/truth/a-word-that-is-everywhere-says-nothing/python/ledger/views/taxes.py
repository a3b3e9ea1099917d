"""The view that lists taxes."""

from .. import office


def taxes_view(request):
    """Answers a request for taxes."""
    first, last = request.days("from", "until")
    chosen = [it for it in office.between(first, last) if it.kind == "taxes"]
    return request.render("taxes.html", chosen=chosen)
