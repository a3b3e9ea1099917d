//! How much a sender may send.

/// Messages that are left.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    left: u32,
    per_day: u32,
}

impl Quota {
    /// A fresh day.
    pub fn new(per_day: u32) -> Self {
        Self { left: per_day, per_day }
    }

    /// Takes `n`, if so many are left.
    pub fn take(&mut self, n: u32) -> bool {
        let left = self.left.checked_sub(n);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}
