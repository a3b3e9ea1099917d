package net.kerbside.garage.report;

import java.time.Duration;
import java.time.LocalDate;

/** The mail to the owner, each morning. */
public class DailyMail {
    private final OccupancyReport occupancy;
    private final int places;

    public DailyMail(OccupancyReport occupancy, int places) {
        this.occupancy = occupancy;
        this.places = places;
    }

    public String body(LocalDate today) {
        String table = occupancy.render(<CURSOR: src/main/java/net/kerbside/garage/report/OccupancyReport.java:OccupancyReport.render>);
        return "Yesterday:\n" + table;
    }
}
