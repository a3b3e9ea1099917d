//! A module.

use std::collections::{self, BTreeMap, HashMap as Map, hash_map::*};
// <- import std (collections)
// <- import std::collections (BTreeMap, HashMap as Map)
// <- import std::collections::hash_map (*)
use crate::parse;
// <- import crate (parse)
pub use self::inner::{Thing};
// <- import self::inner (Thing)
extern crate alloc;
// <- import alloc
mod other;
// <- import self::other

/// The most.
pub const LIMIT: usize = 10;
//        ^ definition.constant (doc)
static NAMES: &[&str] = &[];
//     ^ definition.constant
pub type Result<T> = std::result::Result<T, Error>;
//       ^ definition.type
// ~ type T, type Result, type T, type Error

/// A point.
///
/// In space.
#[derive(Clone, Debug)]
#[cfg(test)]
pub struct Point<T: Display> {
//         ^ definition.class (doc, body)
//         ^ begins #[derive(Clone, Debug)]
//         ^ doc /// A point. /// /// In space.
// ~ type T, type Display
    /// How far right.
    #[serde(default)]
    pub x: T,
    //  ^ definition.field in Point (doc)
    // ~ type T
    y: Map<String, u32>,
    // <- definition.field in Point
    // ~ type Map, type String
}

struct Unit;
//     ^ definition.class
struct Pair(u32, Point<u8>);
//     ^ definition.class
// ~ type Point

pub enum Shape {
//       ^ definition.enum (body)
    // Round.
    Circle(f64),
    // <- definition.constant in Shape (doc)
    Square { side: f64 },
    // <- definition.constant in Shape (body)
    //       ^ definition.field in Shape.Square
}

// A plain comment.
pub trait Draw: Debug {
//        ^ definition.interface (doc, body)
// ~ type Debug
    type Out;
    //   ^ definition.type in Draw
    const SIDES: u32;
    //    ^ definition.constant in Draw
    fn draw(&self) -> Self::Out;
    // ^ definition.method in Draw
    // ~ type Out
    fn twice(&self) { self.draw(); }
    // ^ definition.method in Draw (body)
    // ~ call draw
}

impl<T: Display> fmt::Display for Point<T> {
//                                ^ definition.implementation (body)
// ~ type T, type Display, base Display, type Point, type T
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // ^ definition.method in Point (body)
    // ^ begins #[inline]
    // ^ signature fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result
    // ^ body { let local
    // ~ type Formatter, type Result
        let local = Vec::<u8>::with_capacity(1);
        // ~ type Vec, call with_capacity
        write!(f, "{}", helper::<T>(self.x))
        // ^ scope Point.fmt
        // ~ call write
    }
}

impl Draw for &Unit {}
//             ^ definition.implementation (body)
// ~ base Draw, type Unit

mod inner {
//  ^ definition.module (body)
    pub(crate) async fn free<F>(f: F) where F: Fn(Shape) {
    //                  ^ definition.function in inner (body)
    // ~ type F, type F, type F, type Fn, type Shape
        const LOCAL: u32 = 1;
        fn nested() {}
        // ^ definition.function in inner.free (body)
        f(Shape::Circle(1.0)).await.unwrap()
        // ~ call f, call Circle, call unwrap
    }
}

/// Makes.
#[macro_export]
macro_rules! make {
//           ^ definition.macro (doc, body)
//           ^ signature macro_rules! make
    ($x:expr) => { $x };
}

#[derive(Clone, Debug)]
#[must_use]
pub struct Frozen;
//         ^ definition.class
//         ^ signature pub struct Frozen;
//         ^ begins #[derive

cfg_io! {
// ~ call cfg_io
    /// Opens.
    #[inline]
    pub fn open() -> Handle { helper() }
    //     ^ definition.function (doc, body)
    // ~ type Handle, call helper

    impl Point<u8> {
    //   ^ definition.implementation (body)
    // ~ type Point
        doc_of! { fn inner(&self) {} }
        //           ^ definition.method in Point (body)
        // ~ call doc_of
    }
}

cfg_if::cfg_if! {
// ~ call cfg_if
    if #[cfg(unix)] {
        use std::os::unix;
        // <- import std::os (unix)
    } else {
        pub struct Fallback;
        //         ^ definition.class
    }
}
