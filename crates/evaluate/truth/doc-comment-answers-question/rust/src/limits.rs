//! Limits of a session.

/// After so many failures a session is closed.
pub const FAILURES_A_SESSION: u32 = 20;

/// How long a session may wait for a command.
pub const LONGEST_WAIT: u64 = 300;

/// Whether a session waited too long, or saw failure after failure.
pub fn must_close(failures: u32, wait: u64) -> bool {
    failures > FAILURES_A_SESSION || wait > LONGEST_WAIT
}
