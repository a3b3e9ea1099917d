package net.kerbside.garage.airport;

/** Where shuttles stop. */
public class Terminal {
    private int arrived;

    public void stop(Shuttle shuttle) {
        arrived += shuttle.leave(<CURSOR: src/main/java/net/kerbside/garage/shuttle/Shuttle.java:Shuttle>);
    }
}
