package net.kerbside.garage.legacy;

import java.util.ArrayList;
import java.util.List;

/** The old rate table: a RateTable of rows, as the paper RateTable had them. */
public class RateTable {
    private final List<long[]> rates = new ArrayList<>();

    /** Adds a rate row to this RateTable. */
    public RateTable addRate(int fromHour, int toHour, long cents) {
        rates.add(new long[] {fromHour, toHour, cents});
        return this;
    }

    public long rateOf(int hour) {
        for (long[] rate : rates) {
            if (rate[0] <= hour && hour < rate[1]) {
                return rate[2];
            }
        }
        return 0;
    }

    public static RateTable standardRates() {
        return new RateTable().addRate(0, 6, 50).addRate(6, 24, 200);
    }
}
