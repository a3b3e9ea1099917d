package net.kerbside.garage.tariff;

import java.time.Duration;
<CURSOR: src/main/java/net/kerbside/garage/tariff/WeekendTariff.java>

/** Nights cost half. */
public final class NightTariff implements Tariff {
    private final Tariff inner;

    public NightTariff(Tariff inner) {
        this.inner = inner;
    }

    @Override
    public long priceOf(Duration stay) {
        long nights = ChronoUnit.DAYS.between(NightClock.start(), NightClock.start().plus(stay));
        return inner.priceOf(stay) - nights;
    }
}
