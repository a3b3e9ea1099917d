"""The view that lists postings."""

from .. import journal


def postings_view(request):
    """Answers a request for postings."""
    if not request.person.may("see postings"):
        return request.refuse("postings")
    found = journal.search(request.text("q"))
    return request.page(found)
