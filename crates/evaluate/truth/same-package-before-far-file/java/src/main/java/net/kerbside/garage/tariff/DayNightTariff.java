package net.kerbside.garage.tariff;

import java.time.Duration;
import java.time.LocalTime;

/** Nights are cheaper. */
public final class DayNightTariff implements Tariff {
    private final RateTable rates = new RateTable()<CURSOR: src/main/java/net/kerbside/garage/tariff/RateTable.java:RateTable>;

    @Override
    public long priceOf(Duration stay) {
        return rates.centsAt(LocalTime.NOON) * stay.toHours();
    }
}
