"""Fines for films."""


def film_fine(film, weeks):
    film_sum = overdue_rate(film) * weeks
    return film_sum - grace_days(film)


def film_condition(film):
    film_reel = film.reel
    film_sleeve = film.sleeve
    film_studio = film.studio
    film_caption = film.caption
    film_poster = film.poster
    film_trailer = film.trailer
    return film
