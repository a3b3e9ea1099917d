package net.kerbside.garage.payment;

/** A terminal for shows: charges nothing. */
public class DemoTerminal implements PaymentTerminal {
    @Override
    public String charge(long cents, String reference) {
        return "charge of " + cents + " for " + reference;
    }
}
