package net.kerbside.garage.tariff;

import java.time.Duration;

/** Weekends cost half. */
public final class WeekendTariff implements Tariff {
    private final Tariff inner;

    public WeekendTariff(Tariff inner) {
        this.inner = inner;
    }

    @Override
    public long priceOf(Duration stay) {
        <CURSOR: src/main/java/net/kerbside/garage/tariff/HourlyTariff.java:priceOf; src/main/java/net/kerbside/garage/tariff/CappedTariff.java:priceOf>
    }
}
