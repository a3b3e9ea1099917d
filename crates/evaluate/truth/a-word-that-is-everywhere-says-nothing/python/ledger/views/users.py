"""The view that lists users."""

from .. import people


def users_view(request):
    """Answers a request for users."""
    if request.method == "POST":
        people.add(request.form)
        return request.redirect("/users")
    return request.render("users_form.html", form=request.form)
