"""What a late return costs."""


def late_return(loan, days):
    total = overdue_rate(loan) * days
    return total - <CURSOR:>grace_days(loan)
