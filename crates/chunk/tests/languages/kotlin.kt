package com.example

import java.util.UUID
// <- import java.util (UUID)
import kotlin.collections.*
// <- import kotlin.collections (*)
import a.b.Thing as Other
// <- import a.b (Thing as Other)

const val LIMIT = 10
//        ^ definition.constant
val handlers = mapOf("a" to 1)
//  ^ definition.constant
// ~ call mapOf
typealias Names = List<String>
//        ^ definition.type
// ~ type List, type String

/** A shape. */
@Serializable
// ~ type Serializable
abstract class Shape<T>(val size: Int, private var other: T) : Base<T>(size), Drawable {
//             ^ definition.class (doc, body)
//                          ^ definition.field in Shape
//                                                 ^ definition.field in Shape
// ~ type Int, type T, base Base, type T, base Drawable
    /** The area. */
    open val area: Double
    //       ^ definition.field in Shape (doc)
    // ~ type Double
        get() = compute(size)
        // ~ call compute

    constructor(text: String) : this(text.toInt(), null)
    // <- definition.constructor in Shape
    // ~ type String, call toInt

    init {
        check(size > 0)
        // ~ call check
    }

    @Override
    // ~ type Override
    override fun draw(canvas: Canvas): Unit {
    //           ^ definition.method in Shape (body)
    // ~ type Canvas, type Unit
        val local = Point(1, 2)
        // ~ call Point
        canvas.paint(local)
        // ~ call paint
        list.map { val inner = it; inner.x }
        // ~ call map
    }

    companion object {
        const val KIND = "shape"
        //        ^ definition.field in Shape
        fun create(): Shape<Int> = make()
        //  ^ definition.method in Shape (body)
        // ~ type Shape, type Int, call make
    }
}

interface Drawable {
//        ^ definition.interface (body)
    fun draw(canvas: Canvas)
    //  ^ definition.method in Drawable
    // ~ type Canvas
}

data class Point(val x: Int, val y: Int)
//         ^ definition.class
//                   ^ definition.field in Point
//                               ^ definition.field in Point
// ~ type Int, type Int

enum class Color(val code: String) {
//         ^ definition.enum (body)
//                   ^ definition.field in Color
// ~ type String
    RED("r"),
    // <- definition.constant in Color
    GREEN("g");
    // <- definition.constant in Color

    fun label() = code
    //  ^ definition.method in Color (body)
}

object Registry : Store {
//     ^ definition.class (body)
// ~ base Store
    fun put(name: String) {}
    //  ^ definition.method in Registry (body)
    // ~ type String
}

// Extends strings.
suspend fun String.shout(times: Int = 1): String {
//                 ^ definition.function of String (doc, body)
// ~ type String, type Int, type String
    return this.uppercase()
    // ~ call uppercase
}

fun <T> okio.Buffer<T>?.second(): T = this[1]
//                      ^ definition.function of Buffer (body)
// ~ type Buffer, type T, type T
val String.half: Int get() = length / 2
//         ^ definition.constant of String
// ~ type String, type Int

context(scope: Scope, log: Log<Int>)
fun scoped(): Int = scope.size
//  ^ definition.function (body)
// ~ type Int
private const val KEY = $$"$ref"
//                ^ definition.constant
