package net.kerbside.garage.payment;

/** What a driver takes home. */
public record Receipt(String text) {}
