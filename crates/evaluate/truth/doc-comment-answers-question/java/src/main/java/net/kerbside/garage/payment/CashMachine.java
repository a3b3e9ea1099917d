package net.kerbside.garage.payment;

/** Takes coins and notes, and gives change. */
public class CashMachine {
    private long inserted;

    public void insert(long cents) {
        inserted += cents;
    }

    public long change(long price) {
        long change = inserted - price;
        inserted = 0;
        return change;
    }
}
