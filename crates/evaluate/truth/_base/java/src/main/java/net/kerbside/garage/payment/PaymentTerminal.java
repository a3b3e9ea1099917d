package net.kerbside.garage.payment;

/** The machine that takes cards. */
public interface PaymentTerminal {
    /** Charges an amount and returns the terminal's receipt number. */
    String charge(long cents, String reference) throws PaymentRefusedException;
}
