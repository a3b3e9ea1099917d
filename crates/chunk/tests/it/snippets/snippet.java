package a.b;

import java.util.*;

/** A. */
@Deprecated
public class A<T> extends B implements C {
    private int x = 1;

    public A() { super(); }

    @Override
    public String f(int a) throws E {
        return "s" + a; // trailing
    }

    enum E { X, Y }
}
