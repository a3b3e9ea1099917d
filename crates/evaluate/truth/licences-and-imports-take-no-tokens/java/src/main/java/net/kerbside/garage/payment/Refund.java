/*
 * Copyright 2020 Kerbside Garages.
 *
 * Licensed under the Example License, Version 2.0 (the "License"); you may not use this file except in compliance with
 * the License. A refund of the licence fee is not possible.
 */
package net.kerbside.garage.payment;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import net.kerbside.garage.Ticket;

/** Cents that a driver gets back. */
public final class Refund {
    private final Ticket ticket;
    private final long cents;

    public Refund(Ticket ticket, long cents) {
        this.ticket = ticket;
        this.cents = cents;
    }

    public long cents() {
        return cents;
    }
}
