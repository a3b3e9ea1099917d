package a

import b.c as d

/** A. */
data class A(val x: Int) : B() {
    companion object { const val C = 1 }
    fun f(y: String?): Int = y?.length ?: 0
}

fun g() {
    listOf(1).map { it + 1 }
}
