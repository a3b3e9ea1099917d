package net.kerbside.garage.shuttle;

/** The bus to the airport. */
public class Shuttle {
    private final int seats;
    private int taken;

    public Shuttle(int seats) {
        this.seats = seats;
    }

    public boolean enter() {
        if (taken == seats) {
            return false;
        }
        taken++;
        return true;
    }

    public int leave() {
        int left = taken;
        taken = 0;
        return left;
    }
}
