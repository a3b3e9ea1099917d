//! Says in words what a server meant.

/// The sentence for an answer such as `550 5.1.1`; `in_full` adds what the server wrote.
pub fn describe(answer: &str, attempts: u32, in_full: bool) -> String {
    let why = match answer.as_bytes().first() {
        Some(b'4') => "the server asked to wait",
        Some(b'5') => "the server refused it",
        _ => "the server said something odd",
    };
    let detail = if in_full { format!(": {answer}") } else { String::new() };
    format!("After {attempts} attempts, {why}{detail}.")
}
