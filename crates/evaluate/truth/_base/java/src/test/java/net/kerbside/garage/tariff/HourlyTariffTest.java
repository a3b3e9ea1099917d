package net.kerbside.garage.tariff;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HourlyTariffTest {
    private final Tariff tariff = new HourlyTariff(200);

    @Test
    void anHourThatHasBegunIsPaid() {
        assertEquals(200, tariff.priceOf(Duration.ofMinutes(1)));
        assertEquals(200, tariff.priceOf(Duration.ofMinutes(60)));
        assertEquals(400, tariff.priceOf(Duration.ofMinutes(61)));
    }
}
