"""Mails to customers."""

import smtplib
from email.message import EmailMessage


class Mailer:
    def __init__(self, host, sender):
        self.host = host
        self.sender = sender

    def compose(self, recipient, subject, body):
        message = EmailMessage()
        message["From"] = self.sender
        message["To"] = recipient
        message["Subject"] = subject
        message.set_content(body)
        return message

    def send(self, recipient, subject, body):
        message = self.compose(recipient, subject, body)
        with smtplib.SMTP(self.host) as server:
            server.send_message(message)


class SilentMailer(Mailer):
    """Remembers mails instead of sending them."""

    def __init__(self):
        super().__init__("localhost", "nobody@example.org")
        self.sent = []

    def send(self, recipient, subject, body):
        self.sent.append(self.compose(recipient, subject, body))
