package net.kerbside.garage.gate;

/** The barrier of a gate. */
public class Barrier {
    private boolean open;

    public void raise() {
        open = true;
    }

    public void lower() {
        open = false;
    }
}
