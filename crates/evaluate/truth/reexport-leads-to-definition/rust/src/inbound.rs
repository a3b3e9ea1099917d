//! What happens to mails that come in.

use crate::filters::Greylist;
use crate::message::Message;

/// Whether all recipients may have the mail.
pub fn admit(greylist: &mut Greylist, message: &Message, now: u64) -> bool {
    message.to.iter().all(|to| greylist.passes(<CURSOR: src/filters/greylist.rs:Greylist.passes>))
}
