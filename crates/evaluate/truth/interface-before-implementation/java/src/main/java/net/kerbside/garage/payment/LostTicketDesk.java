package net.kerbside.garage.payment;

import net.kerbside.garage.Ticket;

/** For those who lost their ticket. */
public class LostTicketDesk {
    private static final long FLAT_CENTS = 20_00;

    private final PaymentTerminal terminal;

    public LostTicketDesk(PaymentTerminal terminal) {
        this.terminal = terminal;
    }

    public String settle(Ticket ticket) throws PaymentRefusedException {
        String receipt = terminal.charge(<CURSOR: src/main/java/net/kerbside/garage/payment/PaymentTerminal.java:PaymentTerminal>);
        return receipt;
    }
}
