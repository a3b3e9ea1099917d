"""The letter to customers who paid."""


def thanks_letter(customer, mailer):
    lines = [<CURSOR:>]
