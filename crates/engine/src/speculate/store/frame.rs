//! Frames: plans written together. Each frame can be read by itself.
//!
//! ```text
//! magic (4)  version (u32)  number of plans (u32)  length of the body (u32)  checksum (u64) of the rest
//! hash of the planner's key (u64)     for each plan: hash of its path (u64), time it was made (u64, seconds since 1970)
//! body: zstd of bitcode of the plans
//! ```

use twox_hash::XxHash3_64;

use super::super::plan::{FilePlan, PLAN_VERSION, PlannerKey};

const MAGIC: [u8; 4] = *b"fwp3";

/// Bytes before the checksummed part.
const HEADER: usize = 4 + 4 + 4 + 4 + 8;

/// zstd's level. Writing takes some milliseconds, far less than planning; reading is as fast at every level.
const LEVEL: i32 = 12;

/// Maximum size of an unpacked frame.
const MAX_BYTES: usize = 64 << 20;

/// A frame in the file.
pub(super) struct Frame<'b> {
    /// Hash of the planner's key.
    pub(super) key: u64,
    /// For each plan, the hash of its path and the time it was made, in seconds since 1970.
    pub(super) plans: Vec<(u64, u64)>,
    body: &'b [u8],
}

/// Hash of a path.
pub(super) fn path_hash(path: &str) -> u64 {
    XxHash3_64::oneshot(path.as_bytes())
}

/// Hash of a planner's key.
pub(super) fn key_hash(key: &PlannerKey) -> u64 {
    XxHash3_64::oneshot(format!("{}\0{}", key.name, key.fingerprint).as_bytes())
}

/// Encodes plans and the time each was made as a frame; `None` if compression fails.
pub(super) fn encode(key: &PlannerKey, plans: &[FilePlan], made: &[u64]) -> Option<Vec<u8>> {
    let body = zstd::bulk::compress(&bitcode::encode(plans), LEVEL).ok()?;
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

/// Decodes the frame at the start of `bytes` and returns it with its length; `None` if it is cut off, damaged or of another
/// version.
pub(super) fn first(bytes: &[u8]) -> Option<(Frame<'_>, usize)> {
    let (head, rest) = bytes.split_at_checked(HEADER)?;
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
    Some((Frame { key: number(key), plans, body }, HEADER + checked.len()))
}

/// Decodes the plans of a frame's body; empty if it is unreadable.
pub(super) fn plans(body: &[u8]) -> Vec<FilePlan> {
    let bytes = zstd::bulk::decompress(body, MAX_BYTES).unwrap_or_default();
    bitcode::decode(&bytes).unwrap_or_default()
}

impl<'b> Frame<'b> {
    pub(super) fn body(&self) -> &'b [u8] {
        self.body
    }
}
