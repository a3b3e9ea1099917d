"""Settings from the environment, with defaults for development."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    database: str
    mail_host: str
    mail_sender: str
    page_size: int
    debug: bool


def from_environment(environ=os.environ):
    return Settings(
        database=environ.get("LEDGER_DATABASE", "ledger.sqlite"),
        mail_host=environ.get("LEDGER_MAIL_HOST", "localhost"),
        mail_sender=environ.get("LEDGER_MAIL_SENDER", "ledger@example.org"),
        page_size=int(environ.get("LEDGER_PAGE_SIZE", "50")),
        debug=environ.get("LEDGER_DEBUG", "") == "1",
    )
