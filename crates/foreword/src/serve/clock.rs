//! Time as records and protocols state it.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat};

/// Seconds since 1970 as RFC 3339, in UTC.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|it| DateTime::from_timestamp(it, 0));
    at.unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Milliseconds since 1970.
pub(crate) fn unix_millis() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// Milliseconds since `start`.
pub(crate) fn elapsed_ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_has_a_date_and_a_time_of_day() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_795_254_896), "2026-11-21T09:54:56Z");
    }
}
