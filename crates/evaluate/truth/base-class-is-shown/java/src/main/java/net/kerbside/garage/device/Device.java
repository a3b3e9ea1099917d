package net.kerbside.garage.device;

import java.time.Instant;

/** Something with a plug. */
public abstract class Device {
    private Instant lastSeen = Instant.EPOCH;

    protected final void heartbeat(Instant now) {
        lastSeen = now;
    }

    protected abstract byte[] encode(String command);

    public abstract void reset();
}
