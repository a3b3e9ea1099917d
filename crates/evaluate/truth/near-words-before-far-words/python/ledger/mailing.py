"""Letters to all customers."""

MAX_WEIGHT = 1000


def envelope_for(sheets):
    """The envelope: a letter of more than three sheets needs a large one, whatever its weight and stamp."""
    weight = 5 * sheets
    if weight > MAX_WEIGHT:
        raise ValueError("too heavy for a letter, no stamp and no envelope will do")
    stamp = "large" if weight > 20 else "small"
    return "C4" if sheets > 3 else "DL", stamp


def address_lines(customer):
    lines = [customer.name, customer.street]
    lines.append(f"{customer.zip} {customer.city}")
    return lines


def batches(customers, size):
    batch = []
    for customer in customers:
        batch.append(customer)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def by_city(customers):
    found = {}
    for customer in customers:
        found.setdefault(customer.city, []).append(customer)
    return found


def salutation(customer):
    return f"Dear {customer.name},"


def closing(sender):
    return f"Yours sincerely,\n{sender}"


def quarterly_letter(customer, fiscal_year, quarter):
    """The letter of a quarter of the fiscal year, with its first and last month."""
    lines = [salutation(customer), ""]
    first_month, last_month = <CURSOR: ledger/quarters.py:quarter_bounds>
    return lines
