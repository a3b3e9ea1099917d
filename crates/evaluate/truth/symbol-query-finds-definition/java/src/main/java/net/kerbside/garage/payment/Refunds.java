package net.kerbside.garage.payment;

/** Gives money back: a charge with a PaymentTerminal, undone. */
public class Refunds {
    private final PaymentTerminal terminal;

    public Refunds(PaymentTerminal terminal) {
        this.terminal = terminal;
    }

    public String refund(String charge, long cents) throws PaymentRefusedException {
        return terminal.charge(-cents, charge);
    }
}
