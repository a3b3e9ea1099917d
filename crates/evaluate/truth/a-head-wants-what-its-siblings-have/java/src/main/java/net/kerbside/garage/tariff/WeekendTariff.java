package net.kerbside.garage.tariff;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/** Saturdays and Sundays are free. */
public final class WeekendTariff implements Tariff {
    private final Tariff weekdays;

    public WeekendTariff(Tariff weekdays) {
        this.weekdays = Objects.requireNonNull(weekdays);
    }

    @Override
    public long priceOf(Duration stay) {
        return weekdays.priceOf(stay.truncatedTo(ChronoUnit.DAYS));
    }
}
