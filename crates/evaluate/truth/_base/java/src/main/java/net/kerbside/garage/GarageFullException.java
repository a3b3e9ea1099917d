package net.kerbside.garage;

/** No place is left. */
public class GarageFullException extends RuntimeException {
    public GarageFullException(int places) {
        super("all " + places + " places are taken");
    }
}
