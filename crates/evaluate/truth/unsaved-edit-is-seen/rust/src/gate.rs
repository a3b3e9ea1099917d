//! Lets messages in or not.

use std::collections::HashMap;

use crate::address::Address;
use crate::message::Message;
<TYPED>use crate::quota::Quota;
</TYPED>
/// Who may send what.
#[derive(Debug, Default)]
pub struct Gate {
    closed: bool,
<GONE>    remaining_old_name: HashMap<Address, u32>,
</GONE><TYPED>    quotas: HashMap<Address, Quota>,
</TYPED>}

impl Gate {
    /// Whether the message may enter.
    pub fn admits(&mut self, message: &Message) -> bool {
        let n = message.to.len() as u32;
        <CURSOR:>
        !self.closed
    }
}
