package net.kerbside.garage.report;

import java.util.ArrayList;
import java.util.List;

/** What came in. */
class Ledger {
    private final List<Long> amounts = new ArrayList<>();

    void book(long cents) {
        amounts.add(cents);
    }

    long sum() {
        return amounts.stream().mapToLong(it -> it).sum();
    }
}
