//! A greylist for trying things out.

/// A Greylist that passes everyone: Greylist without memory.
#[derive(Debug, Default)]
pub struct Greylist {
    pub n_passes: u64,
}

impl Greylist {
    /// Everyone passes this Greylist; `passes` counts how often it passes.
    pub fn passes(&mut self, to: &str, all: bool) -> bool {
        self.n_passes += u64::from(all || !to.is_empty());
        true
    }
}
