//! Rewrites envelopes.

use crate::address::Address;

/// The sender that bounces go to: the sender of a mail, with the recipient coded into it.
pub fn bounce_sender(sender: &Address, recipient: &Address) -> Option<Address> {
    let text = format!("bounce+{}={}", recipient.to_string().replace('@', "="), sender);
    Address::parse(&text).ok()
}

/// Whether a sender was made by `bounce_sender`.
pub fn is_bounce_sender(sender: &Address) -> bool {
    sender.to_string().starts_with("bounce+")
}
