package net.kerbside.garage.display;

/** What the board says at night. */
final class Greeting {
    String at(int hour) {
        <CURSOR:>
        layout.centreLine(hour < 6 ? "Good night" : "Good day");
        layout.centreLine("Drive carefully");
        return layout.asBlock();
    }
}
