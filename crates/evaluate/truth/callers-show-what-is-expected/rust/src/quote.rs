//! Quotes parts of mails.

use crate::message::Message;

/// The longest line of a quote.
pub const WIDTH: usize = 72;

/// Quotes the beginning of a message.
pub fn quote_start(<CURSOR: src/reply.rs:"let (quoted, was_cut)">
