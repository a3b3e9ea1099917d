package net.kerbside.garage.tariff;

/** The tariffs in use. */
public final class Tariffs {
    private Tariffs() {}

    /** The usual hourly tariff. */
    public static Tariff hourly() {
        return new CappedTariff(new HourlyTariff(200), 1500);
    }
}
