package net.kerbside.garage;

import java.time.Clock;

/** Starts the garage in a thread of its own. */
public final class Main {
    public static void main(String[] args) {
        Garage garage = new Garage(100, Clock.systemUTC());
        Thread thread = new Thread(() -> {
            while (!garage.isFull()) {
                garage.enter();
            }
        });
        thread.start();
    }
}
