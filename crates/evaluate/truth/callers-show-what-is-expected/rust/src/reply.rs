//! Answers mails.

use crate::address::Address;
use crate::message::Message;
use crate::quote::quote_start;

/// An answer to a mail, with the beginning of the mail below it.
pub fn reply(message: &Message, from: Address, text: &str) -> Message {
    let (quoted, was_cut) = quote_start(message, 10, "> ");
    let rest = if was_cut { "\n> …" } else { "" };
    let body = format!("{text}\n\n{quoted}{rest}");
    Message::new(message.id, from, vec![message.from.clone()], &message.subject, &body)
}
