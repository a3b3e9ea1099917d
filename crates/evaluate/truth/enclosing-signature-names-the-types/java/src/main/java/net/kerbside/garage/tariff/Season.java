package net.kerbside.garage.tariff;

import java.time.LocalDate;

/** A time of the year with a surcharge. */
public record Season(LocalDate begins, LocalDate ends, int percent) {
    /** Cents with the surcharge, when the day lies in the season. */
    public long surcharged(long cents, LocalDate day) {
        boolean within = !day.isBefore(begins) && !day.isAfter(ends);
        return within ? cents + cents * percent / 100 : cents;
    }
}
