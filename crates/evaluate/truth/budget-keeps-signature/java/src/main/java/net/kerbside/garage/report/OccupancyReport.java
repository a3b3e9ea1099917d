package net.kerbside.garage.report;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** How full the garage was. */
public class OccupancyReport {
    private final List<long[]> samples = new ArrayList<>();

    public void sample(long epochMinute, int taken) {
        samples.add(new long[] {epochMinute, taken});
    }

    /** Renders one line an hour, with the mean and the peak, and marks hours above the threshold. */
    public String render(LocalDate day, int places, double threshold, Duration step) {
        StringBuilder text = new StringBuilder();
        long first = day.toEpochDay() * 24 * 60;
        for (long start = first; start < first + 24 * 60; start += step.toMinutes()) {
            long sum = 0;
            long peak = 0;
            int n = 0;
            for (long[] it : samples) {
                if (it[0] >= start && it[0] < start + step.toMinutes()) {
                    sum += it[1];
                    peak = Math.max(peak, it[1]);
                    n++;
                }
            }
            double mean = n == 0 ? 0 : (double) sum / n;
            text.append(String.format("%02d:%02d", (start - first) / 60, (start - first) % 60));
            text.append(String.format("  mean %5.1f  peak %4d", mean, peak));
            if (mean > threshold * places) {
                text.append("  *");
            }
            if (peak >= places) {
                text.append("  FULL");
            }
            text.append('\n');
        }
        if (samples.isEmpty()) {
            text.append("no samples on this day\n");
        }
        long total = 0;
        for (long[] it : samples) {
            total += it[1];
        }
        text.append("samples: ").append(samples.size());
        text.append(", car minutes: ").append(total);
        text.append(", places: ").append(places).append('\n');
        return text.toString();
    }
}
