"""The view that lists orders."""

from .. import sales
from ..paging import paginate


def orders_view(request):
    """Answers a request for orders."""
    rows = [it.as_row() for it in sales.all(request.person)]
    page = paginate(rows, request.number("page", 1), request.settings.page_size)
    return request.render("orders.html", page=page)
