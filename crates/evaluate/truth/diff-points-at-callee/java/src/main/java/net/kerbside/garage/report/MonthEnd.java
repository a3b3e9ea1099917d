package net.kerbside.garage.report;

import java.util.List;

/** Closes a month. */
class MonthEnd {
    private final List<Long> days;

    MonthEnd(List<Long> days) {
        this.days = days;
    }

<TYPED>    private void fill(Sheet sheet) {
        for (long day : days) {
            sheet.cell(day, 8);
        }
        sheet.endRow();
    }

</TYPED>    long best() {
        long best = 0;
        for (long day : days) {
            best = Math.max(best, day);
        }
        return best;
    }

    long worst() {
        long worst = Long.MAX_VALUE;
        for (long day : days) {
            worst = Math.min(worst, day);
        }
        return worst;
    }

    double mean() {
        return days.stream().mapToLong(it -> it).average().orElse(0);
    }

    String headline(String month) {
        return month + ": " + days.size() + " days, best " + best() + ", worst " + worst();
    }

    String close(String month, Ledger ledger) {
        days.forEach(ledger::book);
        long sum = ledger.sum();
        <CURSOR:>
        return headline(month);
    }

    void correct(Ledger ledger, long cents) {
        ledger.<CURSOR at-cursor: src/main/java/net/kerbside/garage/report/Sheet.java:Sheet; src/main/java/net/kerbside/garage/report/Ledger.java:Ledger>
    }
}
