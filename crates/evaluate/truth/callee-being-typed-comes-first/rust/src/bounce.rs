//! Tells senders that a mail did not arrive.

use crate::address::Address;
use crate::message::Message;
use crate::queue::Queue;
use crate::reason::describe;

/// Queues a mail to the sender of a message that was given up.
pub fn bounce(queue: &mut Queue, message: &Message, postmaster: &Address, answer: &str) {
    let to = vec![message.from.clone()];
    let subject = format!("Not delivered: {}", message.subject);
    let body = describe(<CURSOR: src/reason.rs:describe>);
    queue.push(0, Message::new(message.id, postmaster.clone(), to, &subject, &body));
}
