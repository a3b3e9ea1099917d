"""The view that lists exports."""

from .. import office


def exports_view(request):
    """Answers a request for exports."""
    if not request.person.may("see exports"):
        return request.refuse("exports")
    found = office.search(request.text("q"))
    return request.page(found)
