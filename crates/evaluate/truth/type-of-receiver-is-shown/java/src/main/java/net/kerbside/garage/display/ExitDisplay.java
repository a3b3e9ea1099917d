package net.kerbside.garage.display;

import java.time.Clock;
import net.kerbside.garage.Ticket;

/** What a driver reads on leaving. */
public class ExitDisplay {
    private final Clock clock;

    public ExitDisplay(Clock clock) {
        this.clock = clock;
    }

    public String textFor(Ticket ticket) {
        String stay = ticket.<CURSOR: src/main/java/net/kerbside/garage/Ticket.java:Ticket>;
        return "You stayed " + stay;
    }
}
