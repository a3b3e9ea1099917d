import java.util.List;

/** Prints a table of opening hours, a line for each day, with the hours of the day. */
public class OpeningHoursTable {
    public static String hoursOfDay(List<String> days, List<String> openingHours) {
        StringBuilder text = new StringBuilder();
        for (int day = 0; day < days.size(); day++) {
            text.append(days.get(day)).append(' ').append(openingHours.get(day)).append('\n');
        }
        return text.toString();
    }
}
