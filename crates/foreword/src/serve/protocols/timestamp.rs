//! Times as protocols write them.

use chrono::{DateTime, SecondsFormat};

/// Seconds since 1970 as RFC 3339 says them, in UTC.
pub(crate) fn time(seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|it| DateTime::from_timestamp(it, 0));
    at.unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_date_and_a_clock() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_795_254_896), "2026-11-21T09:54:56Z");
    }
}
