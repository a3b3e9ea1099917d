package net.kerbside.garage.payment;

/** The card was refused. */
public class PaymentRefusedException extends Exception {
    public PaymentRefusedException(String why) {
        super(why);
    }
}
