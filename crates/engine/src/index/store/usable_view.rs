//! The usable part of a view, and how thoroughly its segments are checked.

use std::sync::Arc;

use super::error::StoreError;
use crate::index::manifest::Manifest;
use crate::index::segment::Segment;

/// How thoroughly segments are checked when they are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Only data that every query needs; other damage is found by queries.
    Opening,
    /// Also the checksum of every block.
    Blocks,
}

/// The usable part of a view.
pub struct UsableView {
    /// The manifest without the files to read again; its locations refer to `segments`.
    pub manifest: Manifest,
    /// The usable segments.
    pub segments: Vec<Arc<Segment>>,
    /// Errors of missing or damaged segments.
    pub damage: Vec<StoreError>,
}
