package net.kerbside.garage.payment;

import java.time.Clock;
import java.time.Instant;
import net.kerbside.garage.Ticket;
import net.kerbside.garage.tariff.Tariff;

/** Lets drivers pay. */
public class Cashier {
    private final Tariff tariff;
    private final PaymentTerminal terminal;
    private final Clock clock;

    public Cashier(Tariff tariff, PaymentTerminal terminal, Clock clock) {
        this.tariff = tariff;
        this.terminal = terminal;
        this.clock = clock;
    }

    public String pay(Ticket ticket) throws PaymentRefusedException {
        Instant now = clock.instant();
        long price = tariff.priceOf(ticket.parkedUntil(now));
        String receipt = terminal.charge(price, ticket.number());
        ticket.markPaid(now);
        return receipt;
    }
}
