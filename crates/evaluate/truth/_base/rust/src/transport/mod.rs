//! Ways to get a mail out of the house.

mod file;
mod smtp;

use crate::error::Result;
use crate::message::Message;

pub use file::FileTransport;
pub use smtp::SmtpTransport;

/// Something that delivers mails.
pub trait Transport {
    /// Delivers one message, or says why not.
    fn deliver(&mut self, message: &Message) -> Result<()>;

    /// The name in logs.
    fn name(&self) -> &'static str;
}
