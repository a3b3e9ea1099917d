"""The view that lists accounts."""

from .. import chart
from ..paging import paginate


def accounts_view(request):
    """Answers a request for accounts."""
    rows = [it.as_row() for it in chart.all(request.person)]
    page = paginate(rows, request.number("page", 1), request.settings.page_size)
    return request.render("accounts.html", page=page)
