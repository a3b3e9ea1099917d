package net.kerbside.garage;

/** Why a car may leave. */
public enum Exit {
    PAID,
    FREE_MINUTES,
    SEASON_TICKET,
    LOST_TICKET;

    public boolean needsReceipt() {
        return this == PAID || this == LOST_TICKET;
    }
}
