use std::time::{Duration, SystemTime};

use mailq::dedup::Window;

mod support;

#[test]
fn a_repeat_within_the_window_is_a_repeat() {
    let mut window = Window::default();
    let now = SystemTime::now();
    let hour = Duration::from_secs(3600);
    let message = support::message("hello");
    assert!(!window.is_repeat(&message, hour, now));
    assert!(window.is_repeat(&message, hour, now));
    assert!(window.is_repeat(&message, hour, now + hour / 2));
    assert!(!window.is_repeat(&message, hour, now + hour * 2));
}
