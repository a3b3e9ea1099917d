package net.kerbside.garage.report;

import java.util.List;
import net.kerbside.garage.tariff.Season;

/** The list at the wall. */
final class PriceList {
    String render(List<Season> calendar, long[] cents, int columns) {
        StringBuilder text = new StringBuilder();
        int widest = 0;
        for (long it : cents) {
            widest = Math.max(widest, Long.toString(it).length());
        }
        int row = 0;
        while (row < cents.length) {
            for (int column = 0; column < columns && row < cents.length; column++) {
                String number = Long.toString(cents[row]);
                for (int i = number.length(); i < widest; i++) {
                    text.append(' ');
                }
                text.append(number);
                text.append(column + 1 < columns ? " | " : "");
                row++;
            }
            text.append('\n');
            if (row < cents.length) {
                for (int i = 0; i < columns * (widest + 3); i++) {
                    text.append('-');
                }
                text.append('\n');
            }
        }
        text.append('\n');
        for (int i = 0; i < widest; i++) {
            text.append('*');
        }
        text.append('\n');
        for (var it : calendar) {
            text.append("* ");
            <CURSOR:>
        }
        return text.toString();
    }
}
