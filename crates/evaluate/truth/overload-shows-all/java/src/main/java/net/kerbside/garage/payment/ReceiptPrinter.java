package net.kerbside.garage.payment;

import java.util.Locale;
import net.kerbside.garage.Ticket;

/** Prints receipts. */
public class ReceiptPrinter {
    private final int width;
    private int printed;

    public ReceiptPrinter(int width) {
        this.width = width;
    }

    /** In the language of the garage. */
    public Receipt print(Ticket ticket) {
        return print(ticket, Locale.GERMAN);
    }

    private String rule(char c) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < width; i++) {
            line.append(c);
        }
        return line.append('\n').toString();
    }

    private String centred(String text) {
        int left = Math.max(0, (width - text.length()) / 2);
        return " ".repeat(left) + text + '\n';
    }

    private String amount(String label, long cents) {
        String number = String.format("%d.%02d", cents / 100, cents % 100);
        int space = Math.max(1, width - label.length() - number.length());
        return label + " ".repeat(space) + number + '\n';
    }

    /** In the language of the driver. */
    public Receipt print(Ticket ticket, Locale locale) {
        return print(ticket, locale, false);
    }

    private String heading(Locale locale, boolean copy) {
        String word = locale.equals(Locale.GERMAN) ? "Quittung" : "Receipt";
        String mark = copy ? (locale.equals(Locale.GERMAN) ? " (Kopie)" : " (copy)") : "";
        return centred(word + mark) + rule('=');
    }

    /** A copy says that it is one. */
    public Receipt print(Ticket ticket, Locale locale, boolean copy) {
        StringBuilder text = new StringBuilder(heading(locale, copy));
        text.append(centred(ticket.number()));
        text.append(amount("Total", 0));
        text.append(rule('-'));
        printed++;
        return new Receipt(text.toString());
    }
}
