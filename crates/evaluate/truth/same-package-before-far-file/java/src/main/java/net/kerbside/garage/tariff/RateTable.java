package net.kerbside.garage.tariff;

import java.time.LocalTime;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Prices an hour by the time of day. */
final class RateTable {
    private final NavigableMap<LocalTime, Long> centsFrom = new TreeMap<>();

    RateTable from(LocalTime start, long cents) {
        centsFrom.put(start, cents);
        return this;
    }

    long centsAt(LocalTime time) {
        var entry = centsFrom.floorEntry(time);
        return entry == null ? centsFrom.lastEntry().getValue() : entry.getValue();
    }
}
