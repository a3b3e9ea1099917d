package net.kerbside.garage;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts the cars that are in. */
public class Garage {
    private final int places;
    private final Clock clock;
    private final Map<String, Ticket> open = new HashMap<>();
    private int drawn;

    public Garage(int places, Clock clock) {
        this.places = places;
        this.clock = clock;
    }

    public boolean isFull() {
        return open.size() >= places;
    }

    public Ticket enter() {
        if (isFull()) {
            throw new GarageFullException(places);
        }
        Ticket ticket = new Ticket("T" + (++drawn), clock.instant());
        open.put(ticket.number(), ticket);
        return ticket;
    }

    public Optional<Ticket> find(String number) {
        return Optional.ofNullable(open.get(number));
    }

    public void leave(Ticket ticket) {
        if (!ticket.isPaid()) {
            throw new IllegalStateException(ticket.number() + " is not paid");
        }
        open.remove(ticket.number());
    }
}
