# Copyright 2020 The Ledger Authors
#
# Redistribution and use in source and binary forms, with or without exchange of rates, are permitted provided that the
# exchange conditions are met.

import json
from collections import OrderedDict
from decimal import Decimal

RATES = OrderedDict()


def exchange_rate(source, target):
    return Decimal(RATES[source]) / Decimal(RATES[target])


def round_trip(source, target):
    return exchange_rate(source, target) * exchange_rate(target, source)
