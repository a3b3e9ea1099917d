"""Telephone numbers."""


def normalise_phone(text, country="49"):
    """`030 / 123` → `+4930123`."""
    digits = "".join(it for it in text if it.isdigit() or it == "+")
    if digits.startswith("+"):
        return digits
    if digits.startswith("00"):
        return "+" + digits[2:]
    return f"+{country}{digits.lstrip('0')}"
