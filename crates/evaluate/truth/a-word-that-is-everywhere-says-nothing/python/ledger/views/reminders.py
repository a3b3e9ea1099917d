"""The view that lists reminders."""

from .. import dunning
from ..paging import paginate


def reminders_view(request):
    """Answers a request for reminders."""
    rows = [it.as_row() for it in dunning.all(request.person)]
    page = paginate(rows, request.number("page", 1), request.settings.page_size)
    return request.render("reminders.html", page=page)
