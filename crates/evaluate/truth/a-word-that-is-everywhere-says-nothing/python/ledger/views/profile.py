"""The view that shows who one is."""


def profile_view(request):
    """Answers a request for oneself."""
    person = request.person
    return request.render("profile.html", mail=person.mail, since=person.since)
