//! What happens at night.

/// Texts to be sent in the morning.
pub fn morning_texts(messages: &[Message]) -> String {
    <CURSOR:>
    for message in messages {
        digest.absorb(message);
    }
    digest.into_body()
}
