"""The letter to customers who forgot."""


def reminder_letter(customer, mailer):
    lines = [f"Dear {customer.name},", "", "please remember to pay."]
    text = "\n".join(lines)
    mailer.send(customer.mail, "Reminder", text)
    return text
