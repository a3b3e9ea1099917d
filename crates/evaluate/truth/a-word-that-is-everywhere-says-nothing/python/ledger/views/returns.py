"""The view that lists returns."""

from .. import sales


def returns_view(request):
    """Answers a request for returns."""
    if not request.person.may("see returns"):
        return request.refuse("returns")
    found = sales.search(request.text("q"))
    return request.page(found)
