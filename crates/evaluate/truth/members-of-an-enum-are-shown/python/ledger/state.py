"""States of an invoice."""

from enum import Enum


class State(Enum):
    DRAFT = "draft"
    SENT = "sent"
    REMINDED = "reminded"
    PAID = "paid"
    WRITTEN_OFF = "written off"
