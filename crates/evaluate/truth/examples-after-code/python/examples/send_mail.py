"""Composes and sends a mail."""

from ledger.notify import Mailer


def compose_and_send_mail():
    mailer = Mailer("localhost", "a@example.org")
    mail = mailer.compose("b@example.org", "Hello", "A mail")
    mailer.send(mail["To"], mail["Subject"], "A mail")


if __name__ == "__main__":
    compose_and_send_mail()
