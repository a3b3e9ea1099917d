package net.kerbside.garage.payment;

import net.kerbside.garage.Ticket;

/** Pays back what was paid too much. */
public final class RefundDesk {
    private final Cashier cashier;

    public RefundDesk(Cashier cashier) {
        this.cashier = cashier;
    }

    public Refund refund(Ticket ticket, long cents) {
        Refund refund = <CURSOR: src/main/java/net/kerbside/garage/payment/Refund.java>
    }
}
