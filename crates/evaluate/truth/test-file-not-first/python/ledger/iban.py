"""International account numbers."""


def check_iban(text):
    """Whether the check digits of an IBAN are right."""
    text = text.replace(" ", "").upper()
    moved = text[4:] + text[:4]
    digits = "".join(str(int(it, 36)) for it in moved)
    return int(digits) % 97 == 1


def country_of(text):
    return text[:2].upper()
