"""The view that lists articles."""

from .. import stock


def articles_view(request):
    """Answers a request for articles."""
    if request.method == "POST":
        stock.add(request.form)
        return request.redirect("/articles")
    return request.render("articles_form.html", form=request.form)
