package net.kerbside.garage.tariff;

import java.time.Duration;

/** Each hour that has begun costs the same. */
public final class HourlyTariff implements Tariff {
    private final long centsPerHour;

    public HourlyTariff(long centsPerHour) {
        this.centsPerHour = centsPerHour;
    }

    @Override
    public long priceOf(Duration stay) {
        long hours = (stay.toMinutes() + 59) / 60;
        return hours * centsPerHour;
    }
}
