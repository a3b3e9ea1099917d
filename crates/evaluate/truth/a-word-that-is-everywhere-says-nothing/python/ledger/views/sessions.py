"""The view that lists sessions."""

from .. import people
from ..paging import paginate


def sessions_view(request):
    """Answers a request for sessions."""
    rows = [it.as_row() for it in people.all(request.person)]
    page = paginate(rows, request.number("page", 1), request.settings.page_size)
    return request.render("sessions.html", page=page)
