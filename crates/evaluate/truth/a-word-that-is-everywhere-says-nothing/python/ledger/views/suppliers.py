"""The view that lists suppliers."""

from .. import people


def suppliers_view(request):
    """Answers a request for suppliers."""
    first, last = request.days("from", "until")
    chosen = [it for it in people.between(first, last) if it.kind == "suppliers"]
    return request.render("suppliers.html", chosen=chosen)
