"""The letter to new customers."""


def welcome_letter(customer, mailer):
    lines = [f"Dear {customer.name},", "", "we look forward to working with you."]
    text = "\n".join(lines)
    mailer.send(customer.mail, "Welcome", text)
    return text
