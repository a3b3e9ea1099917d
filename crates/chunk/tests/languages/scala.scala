package com.example

import java.util.UUID
// <- import java.util (UUID)
import scala.collection.mutable.{Map, Set => MutableSet}
// <- import scala.collection.mutable (Map, Set as MutableSet)
import cats.syntax._
// <- import cats.syntax (*)
import cats.{Functor as F, *}
// <- import cats (Functor as F, *)

/** A shape. */
@deprecated("x")
// ~ type deprecated
abstract class Shape[T](val size: Int) extends Base[T](size) with Drawable {
//             ^ definition.class (doc, body)
//                          ^ definition.field in Shape
// ~ type Int, base Base, type T, base Drawable
  /** The area. */
  val area: Double = compute(size)
  //  ^ definition.field in Shape (doc)
  // ~ type Double, call compute
  var count = 0
  //  ^ definition.field in Shape
  type Out = List[T]
  //   ^ definition.type in Shape
  // ~ type List, type T

  def this(text: String) = this(text.toInt)
  //  ^ definition.constructor in Shape (body)
  // ~ type String, call this

  // Draws.
  override def draw(canvas: Canvas): Unit = {
  //           ^ definition.method in Shape (doc, body)
  // ~ type Canvas, type Unit
    val local = new Point(1)
    // ~ type Point
    canvas.paint(local).run
    // ~ call paint
    items.map { x => val inner = x; inner.go() }
    // ~ call map, call go
  }

  def abstractly(x: Int): String
  //  ^ definition.method in Shape
  // ~ type Int, type String
}

object Shape {
//     ^ definition.class (body)
  val Limit = 10
  //  ^ definition.field in Shape
  def apply(): Shape[Int] = ???
  //  ^ definition.method in Shape (body)
  // ~ type Shape, type Int
}

case class Point(x: Int, y: Int = 0)
//         ^ definition.class
//               ^ definition.field in Point
//                       ^ definition.field in Point
// ~ type Int, type Int

trait Drawable extends Sized {
//    ^ definition.interface (body)
// ~ base Sized
  def draw(canvas: Canvas): Unit
  //  ^ definition.method in Drawable
  // ~ type Canvas, type Unit
}

enum Color {
//   ^ definition.enum (body)
  case Red, Green
  //   ^ definition.constant in Color
  //        ^ definition.constant in Color
  case Custom(code: String)
  //   ^ definition.constant in Color
  //          ^ definition.field in Color.Custom
  // ~ type String
}

given ordering: Ordering[Point] = Ordering.by(_.x)
//    ^ definition.constant (body)
// ~ type Ordering, type Point, call by

extension (s: String)
//            ^ definition.implementation (body)
// ~ type String
  def shout: String = s.toUpperCase
  //  ^ definition.method in String (body)
  // ~ type String

def topLevel(x: Int) = helper[Int](x)
//  ^ definition.function (body)
// ~ type Int, call helper, type Int

given Ordering[Int] with
//    ^ definition.constant (body)
// ~ type Int
  def compare(x: Int, y: Int): Int = x - y
  //  ^ definition.function in Ordering (body)
  // ~ type Int, type Int, type Int
given names: Show[String] = other
//    ^ definition.constant (body)
// ~ type Show, type String
