package net.kerbside.garage;

import java.util.EnumMap;
import java.util.Map;

/** Counts exits. */
public class ExitLog {
    private final Map<Exit, Integer> counts = new EnumMap<>(Exit.class);

    public int withoutPayment() {
        return counts.getOrDefault(Exit.<CURSOR: src/main/java/net/kerbside/garage/Exit.java:Exit>, 0);
    }
}
