"""The view that lists customers."""

from .. import people


def customers_view(request):
    """Answers a request for customers."""
    if request.method == "POST":
        people.add(request.form)
        return request.redirect("/customers")
    return request.render("customers_form.html", form=request.form)
