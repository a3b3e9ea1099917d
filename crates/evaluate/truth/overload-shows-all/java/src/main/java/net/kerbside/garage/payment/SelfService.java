package net.kerbside.garage.payment;

import net.kerbside.garage.Ticket;

/** A driver alone with the machine. */
public class SelfService {
    private final Cashier cashier;
    private final ReceiptPrinter printer;

    public SelfService(Cashier cashier, ReceiptPrinter printer) {
        this.cashier = cashier;
        this.printer = printer;
    }

    public Receipt payAndPrint(Ticket ticket) throws PaymentRefusedException {
        cashier.pay(ticket);
        return printer.print(<CURSOR: src/main/java/net/kerbside/garage/payment/ReceiptPrinter.java:print#1>);
    }
}
