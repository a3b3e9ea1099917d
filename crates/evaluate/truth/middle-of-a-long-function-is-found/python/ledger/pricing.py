"""Prices with all their exceptions."""

from datetime import date


def price_for(customer, article, quantity, today, rules):
    """The price of a line in cents, and a list of the reasons for each change."""
    cents = article.cents * quantity
    reasons = []
    if customer.is_staff:
        cents = cents * 80 // 100
        reasons.append("staff")
    if article.on_sale_until and today <= article.on_sale_until:
        cents = cents * 90 // 100
        reasons.append("sale")
    if quantity >= article.pallet_size:
        pallets = quantity // article.pallet_size
        cents -= pallets * rules.cents_off_a_pallet
        reasons.append(f"{pallets} pallets")
    if customer.country != rules.home_country:
        if customer.country in rules.customs_union:
            cents += rules.handling_cents
            reasons.append("handling")
        else:
            duty = rules.duties.get(article.tariff_number, 0)
            cents += cents * duty // 100 + rules.handling_cents
            reasons.append(f"duty of {duty} percent")
    if article.deposit_cents:
        cents += article.deposit_cents * quantity
        reasons.append("deposit")
    if customer.orders_this_year > rules.many_orders:
        cents = cents * 97 // 100
        reasons.append("many orders")
    elif customer.orders_this_year == 0:
        cents = cents * 95 // 100
        reasons.append("first order")
    born = customer.born_on
    if born is not None:
        day, month = born.day, born.month
        # Who was born on the twenty-ninth of February celebrates the day before, except in a leap year.
        if (day, month) == (29, 2) and not is_leap(today.year):
            day = 28
        if (today.day, today.month) == (day, month):
            cents = cents * 90 // 100
            reasons.append("birthday discount")
    if article.weight_grams * quantity > rules.heavy_grams:
        steps = (article.weight_grams * quantity - 1) // rules.heavy_grams
        cents += steps * rules.heavy_cents
        reasons.append("heavy")
    if article.fragile:
        cents += rules.padding_cents * quantity
        reasons.append("padding")
    if customer.pays_in_advance:
        cents = cents * 98 // 100
        reasons.append("paid in advance")
    if cents < rules.least_cents:
        cents = rules.least_cents
        reasons.append("least order")
    return cents, reasons


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
