"""Lets people in again."""

import secrets
from datetime import timedelta

VALID_FOR = timedelta(hours=2)


class Resets:
    def __init__(self, storage, mailer):
        self.storage = storage
        self.mailer = mailer

    def request(self, person, now):
        token = secrets.token_urlsafe(32)
        self.storage.save("reset", token, {"person": person.name, "until": str(now + VALID_FOR)})
        self.mailer.send(person.mail, "Your new start", f"Use {token} within two hours")

    def redeem(self, token, now):
        found = self.storage.load("reset", token)
        if found is None or found["until"] < str(now):
            return None
        return found["person"]
