"""The view that lists imports."""

from .. import bank


def imports_view(request):
    """Answers a request for imports."""
    first, last = request.days("from", "until")
    chosen = [it for it in bank.between(first, last) if it.kind == "imports"]
    return request.render("imports.html", chosen=chosen)
