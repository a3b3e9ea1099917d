package net.kerbside.garage.report;

import java.time.Duration;

/** A week of stays: weekends apart, half of them short. */
public class Week {
    private Duration weekends = Duration.ZERO;

    public void add(Duration stay, boolean weekend) {
        if (weekend) {
            weekends = weekends.plus(stay);
        }
    }

    public Duration weekends() {
        return weekends;
    }
}
