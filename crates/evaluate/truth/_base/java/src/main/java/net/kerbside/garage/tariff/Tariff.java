package net.kerbside.garage.tariff;

import java.time.Duration;

/** What parking costs. */
public interface Tariff {
    /** The price in cents for a stay. */
    long priceOf(Duration stay);
}
