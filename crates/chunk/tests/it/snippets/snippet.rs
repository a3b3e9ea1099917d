//! Docs.
use std::{fs, io::Read as _};

/// A.
#[derive(Debug)]
pub struct A<'a> {
    /// x.
    pub x: &'a str, // trailing
}

impl<'a> A<'a> {
    /// New.
    pub fn new(x: &'a str) -> Self {
        let r = r#"raw"#;
        Self { x }
    }
}

macro_rules! m { ($x:expr) => { $x + 1 } }

fn main() {
    println!("{}", A::new("é漢").x);
}
