"""The letter to customers who leave."""


def goodbye_letter(customer, mailer):
    lines = [f"Dear {customer.name},", "", "we are sorry to see you go."]
    text = "\n".join(lines)
    mailer.send(customer.mail, "Goodbye", text)
    return text
