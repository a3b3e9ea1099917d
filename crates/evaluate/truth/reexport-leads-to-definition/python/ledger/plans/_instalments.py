from datetime import timedelta


def plan_rows(plan, *, skip=(), round_up=False):
    """Yields (day, amount) for each month that is not skipped."""
    day = plan.start
    for month in range(plan.months):
        if month not in skip:
            amount = plan.monthly.rounded() if round_up else plan.monthly
            yield day, amount
        day = (day.replace(day=28) + timedelta(days=4)).replace(day=plan.start.day)


def plan_total(plan):
    return plan.monthly.times(plan.months)
