package net.kerbside.garage;

import java.time.Duration;
import java.time.Instant;

/** What a driver draws at the gate. */
public final class Ticket {
    private final String number;
    private final Instant enteredAt;
    private Instant paidAt;

    public Ticket(String number, Instant enteredAt) {
        this.number = number;
        this.enteredAt = enteredAt;
    }

    public String number() {
        return number;
    }

    public Duration parkedUntil(Instant now) {
        return Duration.between(enteredAt, now);
    }

    public boolean isPaid() {
        return paidAt != null;
    }

    public void markPaid(Instant now) {
        paidAt = now;
    }
}
