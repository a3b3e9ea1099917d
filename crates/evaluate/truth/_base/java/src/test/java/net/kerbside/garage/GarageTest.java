package net.kerbside.garage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class GarageTest {
    private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    @Test
    void aFullGarageLetsNobodyIn() {
        Garage garage = new Garage(1, clock);
        garage.enter();
        assertThrows(GarageFullException.class, garage::enter);
    }

    @Test
    void ticketsHaveNumbersInTurn() {
        Garage garage = new Garage(2, clock);
        assertEquals("T1", garage.enter().number());
        assertEquals("T2", garage.enter().number());
    }
}
