package a.b

import c.{D, E => F}

/** A. */
case class A[T](x: Int) extends B with C {
  def f(y: T)(implicit z: Z): Int = {
    val w = s"$y"
    x match { case 1 => 2; case _ => 3 }
  }
}

object A { val C = 1 }
