"""The view that lists budgets."""

from .. import plans


def budgets_view(request):
    """Answers a request for budgets."""
    if request.method == "POST":
        plans.add(request.form)
        return request.redirect("/budgets")
    return request.render("budgets_form.html", form=request.form)
