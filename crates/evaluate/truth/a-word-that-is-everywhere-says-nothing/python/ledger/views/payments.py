"""The view that lists payments."""

from .. import bank


def payments_view(request):
    """Answers a request for payments."""
    if not request.person.may("see payments"):
        return request.refuse("payments")
    found = bank.search(request.text("q"))
    return request.page(found)
