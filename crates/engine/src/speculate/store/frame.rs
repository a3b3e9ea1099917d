//! Frames: some plans that were written together, readable without those before or after.
//!
//! ```text
//! magic (4)  version (u32)  plans (u32)  body (u32)  checksum (u64) of all that follows
//! key (u64): hash of the planner's key     for each plan: hash (u64) of its path, when it was made (u64, seconds since 1970)
//! body: zstd of bitcode of the plans, packed
//! ```

use twox_hash::XxHash3_64;

use super::packed::PackedPlans;
use crate::speculate::PLAN_VERSION;
use crate::speculate::plan::{FilePlan, PlannerKey};

const MAGIC: [u8; 4] = *b"fwp3";

/// Bytes before the checksummed part.
const HEAD: usize = 4 + 4 + 4 + 4 + 8;

/// Some milliseconds for plans that took a hundred times as long to make; reading does not take longer.
const LEVEL: i32 = 12;

/// No frame unpacks to more.
const MOST_BYTES: usize = 64 << 20;

/// A frame as it lies in the file.
pub(super) struct Frame<'b> {
    /// Of the planner's key.
    pub(super) key: u64,
    /// Of each plan: the hash of its path, and when it was made, in seconds since 1970.
    pub(super) plans: Vec<(u64, u64)>,
    body: &'b [u8],
}

/// The hash of a path.
pub(super) fn path_hash(path: &str) -> u64 {
    XxHash3_64::oneshot(path.as_bytes())
}

/// The hash of a planner's key.
pub(super) fn key_hash(key: &PlannerKey) -> u64 {
    XxHash3_64::oneshot(format!("{}\0{}", key.name, key.fingerprint).as_bytes())
}

/// The bytes of a frame of plans, each made at its time; `None` where the plans cannot be compressed.
pub(super) fn encode(key: &PlannerKey, plans: &[FilePlan], made: &[u64]) -> Option<Vec<u8>> {
    let body = zstd::bulk::compress(&bitcode::encode(&PackedPlans::pack(plans)), LEVEL).ok()?;
    let mut checked = key_hash(key).to_le_bytes().to_vec();
    for (plan, made) in plans.iter().zip(made) {
        checked.extend(path_hash(&plan.path).to_le_bytes());
        checked.extend(made.to_le_bytes());
    }
    checked.extend_from_slice(&body);
    let mut res = MAGIC.to_vec();
    for number in [PLAN_VERSION, plans.len() as u32, body.len() as u32] {
        res.extend(number.to_le_bytes());
    }
    res.extend(XxHash3_64::oneshot(&checked).to_le_bytes());
    res.extend(checked);
    Some(res)
}

/// The frame at the beginning of some bytes, and its length; `None` if there is no whole and sound one of this version.
pub(super) fn first(bytes: &[u8]) -> Option<(Frame<'_>, usize)> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let number = |at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?))
    };
    if head[..4] != MAGIC || number(4)? != PLAN_VERSION {
        return None;
    }
    let (n, len) = (number(8)? as usize, number(12)? as usize);
    let check = u64::from_le_bytes(head[16..24].try_into().ok()?);
    let body_at = n.checked_mul(16)?.checked_add(8)?;
    let checked = rest.get(..body_at.checked_add(len)?)?;
    if XxHash3_64::oneshot(checked) != check {
        return None;
    }
    let (table, body) = checked.split_at(body_at);
    let (key, table) = table.split_first_chunk()?;
    let number = |it: &[u8; 8]| u64::from_le_bytes(*it);
    let numbers: Vec<u64> = table.as_chunks().0.iter().map(number).collect();
    let plans = numbers.as_chunks().0.iter().map(|[path, made]| (*path, *made)).collect();
    Some((Frame { key: number(key), plans, body }, HEAD + checked.len()))
}

/// The plans of a frame's body; none if it cannot be read.
pub(super) fn plans(body: &[u8]) -> PackedPlans {
    let bytes = zstd::bulk::decompress(body, MOST_BYTES).unwrap_or_default();
    bitcode::decode(&bytes).unwrap_or_default()
}

impl<'b> Frame<'b> {
    pub(super) fn body(&self) -> &'b [u8] {
        self.body
    }
}
