//! Metadata of a file, and the rule by which equal metadata prove unchanged content.
//!
//! # The racy-clean rule
//!
//! Timestamps have a limited resolution: a file written twice within one tick keeps the same time. So an equal stamp
//! proves nothing about a file that was read at the moment it was written: the second write may have come after the read.
//! git calls this a racily clean entry. As in git, a stamp is proof only if the file was clearly older than the moment of
//! recording. Other files are read once more; their content hash decides, and the new recording is late enough to be
//! proof.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

pub use foreword_engine::source::Stamp;

/// Minimum age of a file when its stamp is recorded, in nanoseconds. Two seconds are the resolution of FAT, the
/// coarsest in use.
pub const RACY_NS: i64 = 2_000_000_000;

/// Minimum age where the file system stores fractions of a second: kernel timestamps lag behind the clock by a tick, at
/// most 10 ms. A long-lived server cannot prove a tree unchanged until its youngest file has this age, and until then
/// each request walks the tree.
const FINE_RACY_NS: i64 = 200_000_000;

/// Converts `metadata`.
pub(crate) fn stamp_of(metadata: &Metadata) -> Stamp {
    let (inode, ctime_ns) = identity(metadata);
    let mtime_ns = metadata.modified().map_or(0, nanoseconds);
    Stamp { size: metadata.len(), mtime_ns, ctime_ns, inode }
}

/// Whether a file with the stamp `now` still has the content that it had when `recorded` was taken.
///
/// `recorded_at_ns` is the clock *before* the file was opened for the recording. True only if the stamps are equal and
/// the file was already old: [`RACY_NS`], or a fifth of a second where times have fractions. A time in the future never
/// proves anything.
pub fn proves_unchanged(now: &Stamp, recorded: &Stamp, recorded_at_ns: i64) -> bool {
    // The later of both times: programs that restore mtime (rsync, tar, cp -p) still change ctime.
    let last_touch = recorded.mtime_ns.max(recorded.ctime_ns);
    let least_age = if has_fraction(last_touch) { FINE_RACY_NS } else { RACY_NS };
    now == recorded && last_touch < recorded_at_ns.saturating_sub(least_age)
}

/// Whether a time is finer than 10 ms, the finest of FAT's: one file in ten thousand looks coarse by chance, and is read
/// once more.
fn has_fraction(time_ns: i64) -> bool {
    time_ns % 10_000_000 != 0
}

/// The current time in the unit of a [`Stamp`], for `recorded_at_ns` of [`proves_unchanged`].
pub fn now_ns() -> i64 {
    nanoseconds(SystemTime::now())
}

/// 1677 to 2262 fit; other times come from a broken clock and saturate.
fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    let ctime =
        metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
    (metadata.ino(), ctime)
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, i64) {
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;
    const OLD: Stamp = Stamp { size: 3, mtime_ns: 100 * SECOND, ctime_ns: 100 * SECOND, inode: 7 };

    #[test]
    fn without_inodes_and_times_of_change_the_size_and_the_modification_decide() {
        let bare = |size, mtime_ns| Stamp { size, mtime_ns, ctime_ns: 0, inode: 0 };
        let recorded = bare(3, 100 * SECOND);
        assert!(proves_unchanged(&recorded, &recorded, 200 * SECOND));
        assert!(!proves_unchanged(&bare(4, 100 * SECOND), &recorded, 200 * SECOND));
        assert!(!proves_unchanged(&bare(3, 101 * SECOND), &recorded, 200 * SECOND));
        assert!(!proves_unchanged(&recorded, &recorded, 100 * SECOND), "read while it was written");
    }

    #[test]
    fn an_old_file_with_the_same_stamp_is_unchanged() {
        assert!(proves_unchanged(&OLD, &OLD, 103 * SECOND));
    }

    #[test]
    fn a_file_as_young_as_its_recording_proves_nothing() {
        assert!(!proves_unchanged(&OLD, &OLD, 100 * SECOND));
        assert!(!proves_unchanged(&OLD, &OLD, 102 * SECOND));
    }

    #[test]
    fn times_with_fractions_prove_a_file_sooner() {
        let fine = |ns| Stamp { mtime_ns: 100 * SECOND, ctime_ns: 100 * SECOND + ns, ..OLD };
        let at = 100 * SECOND + SECOND / 4;
        assert!(proves_unchanged(&fine(12_345_678), &fine(12_345_678), at));
        assert!(!proves_unchanged(&fine(62_345_678), &fine(62_345_678), at), "younger");
        // FAT has two seconds for writes, ten milliseconds for creations.
        assert!(!proves_unchanged(&fine(30_000_000), &fine(30_000_000), at));
    }

    #[test]
    fn a_file_from_the_future_proves_nothing() {
        assert!(!proves_unchanged(&OLD, &OLD, 50 * SECOND));
        assert!(!proves_unchanged(&OLD, &OLD, i64::MIN));
    }

    #[test]
    fn any_difference_is_a_change() {
        let at = 200 * SECOND;
        assert!(!proves_unchanged(&Stamp { size: 4, ..OLD }, &OLD, at));
        assert!(!proves_unchanged(&Stamp { mtime_ns: 99 * SECOND, ..OLD }, &OLD, at));
        assert!(!proves_unchanged(&Stamp { ctime_ns: 101 * SECOND, ..OLD }, &OLD, at));
        assert!(!proves_unchanged(&Stamp { inode: 8, ..OLD }, &OLD, at));
    }

    #[test]
    fn a_restored_mtime_does_not_hide_a_young_ctime() {
        let restored = Stamp { mtime_ns: SECOND, ctime_ns: 100 * SECOND, ..OLD };
        assert!(!proves_unchanged(&restored, &restored, 101 * SECOND));
    }

    #[test]
    fn times_before_1970_are_negative() {
        assert_eq!(nanoseconds(UNIX_EPOCH - std::time::Duration::from_secs(1)), -SECOND);
    }
}
