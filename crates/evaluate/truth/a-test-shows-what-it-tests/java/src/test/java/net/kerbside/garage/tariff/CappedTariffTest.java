package net.kerbside.garage.tariff;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CappedTariffTest {
    @Test
    void aDayCostsNoMoreThanItsMaximum() {
        <CURSOR: src/main/java/net/kerbside/garage/tariff/CappedTariff.java:CappedTariff>
    }
}
