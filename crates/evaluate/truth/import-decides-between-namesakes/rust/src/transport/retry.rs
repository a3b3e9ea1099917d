//! Which answers of a server are worth another try.

/// Decides by the first digit of the answer: a Policy says what is final. The usual Policy takes 5xx as final.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub final_digit: char,
    pub max_attempts: u32,
}

impl Policy {
    /// The usual Policy.
    pub fn usual() -> Self {
        Self { final_digit: '5', max_attempts: 12 }
    }

    /// Whether this Policy tries again after `answer`.
    pub fn tries_again(&self, answer: &str, attempts: u32) -> bool {
        !answer.starts_with(self.final_digit) && attempts < self.max_attempts
    }
}
