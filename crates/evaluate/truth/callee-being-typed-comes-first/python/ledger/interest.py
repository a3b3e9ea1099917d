"""Interest on what customers owe."""


def accrue(principal, days, *, yearly="0.05", compound=False):
    """Interest for some days; compound interest is added each day."""
    daily = float(yearly) / 365
    if compound:
        return principal.times(str((1 + daily) ** days - 1))
    return principal.times(str(daily * days))
