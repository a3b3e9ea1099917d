package com.example;

import java.util.List;
// <- import java.util (List)
import java.util.concurrent.*;
// <- import java.util.concurrent (*)
import static org.junit.Assert.assertEquals;
// <- import org.junit.Assert (assertEquals)

/**
 * A service.
 */
@Service("x")
// ~ type Service
@Deprecated
// ~ type Deprecated
public abstract class Widget<T extends Comparable<T>> extends Base<T> implements Runnable, ns.Closeable {
//                    ^ definition.class (doc, body)
//                    ^ begins @Service("x")
//                    ^ doc * A service.
// ~ type T, type Comparable, type T, base Base, type T, base Runnable, type ns, base Closeable
    /** The most. */
    public static final int LIMIT = 10, OTHER = 11;
    //                      ^ definition.field in Widget (doc)
    //                                  ^ definition.field in Widget (doc)
    private final List<String> names = new ArrayList<>();
    //                         ^ definition.field in Widget
    // ~ type List, type String, type ArrayList

    public Widget(String name) {
    //     ^ definition.constructor in Widget (body)
    // ~ type String
        super(name);
    }

    // Runs.
    @Override
    // ~ type Override
    public void run() {
    //          ^ definition.method in Widget (doc, body)
        int local = helper(names.get(0));
        // ~ call helper, call get
        Runnable r = () -> { int inner = 1; };
        // ~ type Runnable
        names.stream().map(String::trim).forEach(System.out::println);
        // ~ call stream, call map, call forEach
    }

    abstract T make(Map<String, T> in) throws IOException;
    //         ^ definition.method in Widget
    // ~ type T, type Map, type String, type T, type IOException

    static class Nested {
    //           ^ definition.class in Widget (body)
        void deep() { new Widget<String>("x") { void anonymous() {} }; }
        //   ^ definition.method in Widget.Nested (body)
        //                                           ^ definition.method in Widget.Nested.deep (body)
        // ~ type Widget, type String
    }
}

interface Shape extends Drawable, Sized {
//        ^ definition.interface (body)
// ~ base Drawable, base Sized
    int SIDES = 4;
    //  ^ definition.constant in Shape
    double area();
    //     ^ definition.method in Shape
    default void draw() { area(); }
    //           ^ definition.method in Shape (body)
    // ~ call area
}

enum Color implements Named {
//   ^ definition.enum (body)
// ~ base Named
    RED("r"), GREEN("g") { @Override String label() { return "G"; } };
    // <- definition.constant in Color
    //        ^ definition.constant in Color (body)
    //                                      ^ definition.method in Color.GREEN (body)
    // ~ type Override, type String
    private final String code;
    //                   ^ definition.field in Color
    // ~ type String
    Color(String code) { this.code = code; }
    // <- definition.constructor in Color (body)
    // ~ type String
}

record Point(int x, int y) {
//     ^ definition.class (body)
    Point {
    // <- definition.constructor in Point (body)
        check(x);
        // ~ call check
    }
}

@interface Marker {
//         ^ definition.interface (body)
    String value() default "";
    //     ^ definition.method in Marker
    // ~ type String
}

@Service
// ~ type Service
@Scope("one")
// ~ type Scope
class Bean {
//    ^ definition.class (body)
//    ^ signature class Bean
//    ^ begins @Service
    @Override
    // ~ type Override
    @Nullable
    // ~ type Nullable
    public String name() { return null; }
    //            ^ definition.method in Bean (body)
    //            ^ signature public String name()
    // ~ type String
}
