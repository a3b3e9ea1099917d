package net.kerbside.garage.device;

/** Feels cars. */
public class LoopSensor extends Device {
    private int cars;

    @Override
    protected byte[] encode(String command) {
        return command.getBytes();
    }

    @Override
    public void reset() {
        <CURSOR: src/main/java/net/kerbside/garage/device/Device.java:Device>
    }
}
