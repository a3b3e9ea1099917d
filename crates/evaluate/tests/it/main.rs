//! Integration tests of the evaluation: one binary.

mod truth;
