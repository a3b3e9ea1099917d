//! Signs mails.

/// The key of a domain.
#[derive(Clone, Debug)]
pub struct Signer {
    selector: String,
    key: Vec<u8>,
}

impl Signer {
    /// The value of the signature header for a canonical text.
    pub fn sign_canonical(&self, canonical: &str) -> String {
        let sum = canonical.bytes().zip(self.key.iter().cycle()).fold(0_u64, |sum, (a, b)| {
            sum.wrapping_mul(31).wrapping_add(u64::from(a ^ b))
        });
        format!("s={}; b={sum:x}", self.selector)
    }
}
