package net.kerbside.garage.display;

import net.kerbside.garage.Garage;

/** The board at the entrance. */
public class Board {
    private final Garage garage;
    private String shown = "";

    public Board(Garage garage) {
        this.garage = garage;
    }

    public void refresh() {
        shown = garage.isFull() ? "FULL" : "OPEN";
    }

    public String shown() {
        return shown;
    }
}
