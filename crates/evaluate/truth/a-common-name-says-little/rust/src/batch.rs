//! Many messages at once.

/// Splits what may go now from what must wait.
pub fn split_batch(batch: Vec<Message>, hour: u64) -> (Vec<Message>, Vec<Message>) {
    let mut throttle = Throttle::new(<CURSOR: src/throttle.rs:Throttle>);
    batch.into_iter().partition(|message| throttle.get(message.domains()[0], hour))
}
