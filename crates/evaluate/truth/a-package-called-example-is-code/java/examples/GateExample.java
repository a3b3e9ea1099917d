import net.kerbside.garage.gate.Barrier;

/** How to use the barrier of a gate. */
public class GateExample {
    public static void main(String[] args) {
        Barrier gateBarrier = new Barrier();
        gateBarrier.raise();
        System.out.println("the gate is open, the barrier is up");
        gateBarrier.lower();
        System.out.println("the gate is shut, the barrier is down");
    }
}
