package net.kerbside.garage.report;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.kerbside.garage.Ticket;
import net.kerbside.garage.tariff.Tariff;

/** What the garage will earn. */
public class Forecast {
    private final Tariff tariff;
    private final Map<LocalDate, Integer> carsByDay = new HashMap<>();
    private final List<Duration> stays = new ArrayList<>();

    public Forecast(Tariff tariff) {
        this.tariff = tariff;
    }

    private static String[] weekdayNames() {
        return new String[] {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    }

    public void count(LocalDate day, int cars) {
        carsByDay.merge(day, cars, Integer::sum);
    }

    public void observe(Ticket ticket, Instant now) {
        stays.add(ticket.parkedUntil(now));
        count(LocalDate.ofInstant(now, ZoneOffset.UTC), 1);
    }

    public double carsPerDay() {
        return carsByDay.values().stream().mapToInt(it -> it).average().orElse(0);
    }

    public int busiest() {
        return carsByDay.values().stream().mapToInt(it -> it).max().orElse(0);
    }

    public Map<String, Integer> byWeekday() {
        Map<String, Integer> sums = new HashMap<>();
        for (Map.Entry<LocalDate, Integer> it : carsByDay.entrySet()) {
            String name = weekdayNames()[it.getKey().getDayOfWeek().getValue() - 1];
            sums.merge(name, it.getValue(), Integer::sum);
        }
        return sums;
    }

    public List<LocalDate> quietDays(int below) {
        List<LocalDate> days = new ArrayList<>();
        for (Map.Entry<LocalDate, Integer> it : carsByDay.entrySet()) {
            if (it.getValue() < below) {
                days.add(it.getKey());
            }
        }
        days.sort(null);
        return days;
    }

    public String trend() {
        List<LocalDate> days = new ArrayList<>(carsByDay.keySet());
        days.sort(null);
        if (days.size() < 2) {
            return "unknown";
        }
        int first = carsByDay.get(days.get(0));
        int last = carsByDay.get(days.get(days.size() - 1));
        return first < last ? "rising" : first > last ? "falling" : "steady";
    }

    public Map<LocalDate, Double> smoothed(int window) {
        Map<LocalDate, Double> res = new HashMap<>();
        for (LocalDate day : carsByDay.keySet()) {
            double sum = 0;
            int n = 0;
            for (int before = 0; before < window; before++) {
                Integer cars = carsByDay.get(day.minusDays(before));
                if (cars != null) {
                    sum += cars;
                    n++;
                }
            }
            res.put(day, sum / n);
        }
        return res;
    }

    /** Cents that a day of so many cars brings. */
    public long earnings(int cars) {
        long sum = 0;
        for (Duration stay : stays) {
            sum += tariff.priceOf(<CURSOR:>);
        }
        return stays.isEmpty() ? 0 : sum * cars / stays.size();
    }
}
