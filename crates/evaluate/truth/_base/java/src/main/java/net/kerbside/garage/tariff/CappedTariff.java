package net.kerbside.garage.tariff;

import java.time.Duration;

/** Another tariff, but never more than a day's maximum. */
public final class CappedTariff implements Tariff {
    private final Tariff inner;
    private final long centsPerDay;

    public CappedTariff(Tariff inner, long centsPerDay) {
        this.inner = inner;
        this.centsPerDay = centsPerDay;
    }

    @Override
    public long priceOf(Duration stay) {
        long days = stay.toDays();
        Duration rest = stay.minusDays(days);
        return days * centsPerDay + Math.min(centsPerDay, inner.priceOf(rest));
    }
}
