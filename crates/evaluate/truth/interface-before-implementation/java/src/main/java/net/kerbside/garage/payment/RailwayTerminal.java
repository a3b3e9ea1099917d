package net.kerbside.garage.payment;

/** A terminal of the railway: charges through its network; charge charges an amount. */
public class RailwayTerminal implements PaymentTerminal {
    private int receipts;

    @Override
    public String charge(long cents, String reference) throws PaymentRefusedException {
        if (cents > 50_00) {
            throw new PaymentRefusedException("the terminal charges at most 50");
        }
        receipts++;
        return "R" + receipts + "/" + reference;
    }
}
