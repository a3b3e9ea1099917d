//! How many blocks and forecasts a context has, as people write it.

use std::fmt;
use std::str::FromStr;

use super::plan::{MAX_BLOCKS, MAX_FORECASTS};

/// Maximum numbers of blocks and forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    /// Blocks.
    pub blocks: usize,
    /// Forecasts.
    pub forecasts: usize,
}

impl Mix {
    /// The mix of SpecAgent (arXiv 2510.17925).
    pub const SPEC_AGENT: Self = Self { blocks: 9, forecasts: 3 };
}

/// The contents of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextMix {
    /// Blocks and forecasts of a plan, without retrieval: `9+3`.
    Plan(Mix),
    /// The pieces of live retrieval with at most this many forecasts: `live+3`.
    Live(usize),
}

impl fmt::Display for ContextMix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan(it) => write!(f, "{}+{}", it.blocks, it.forecasts),
            Self::Live(forecasts) => write!(f, "live+{forecasts}"),
        }
    }
}

/// Error: the text is no mix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no mix; write live+3, or two numbers up to 12, as in 9+3")]
pub struct NoMix(String);

impl FromStr for ContextMix {
    type Err = NoMix;

    fn from_str(text: &str) -> Result<Self, NoMix> {
        let number = |it: &str, most: usize| it.parse().ok().filter(|it| *it <= most);
        let mix = |(first, forecasts): (&str, &str)| {
            let forecasts = number(forecasts, MAX_FORECASTS)?;
            Some(match first {
                "live" => Self::Live(forecasts),
                blocks => Self::Plan(Mix { blocks: number(blocks, MAX_BLOCKS)?, forecasts }),
            })
        };
        text.split_once('+').and_then(mix).ok_or_else(|| NoMix(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_is_read_as_it_is_written() {
        for text in ["9+3", "12+0", "0+12", "live+3", "live+0"] {
            assert_eq!(text.parse::<ContextMix>().unwrap().to_string(), text);
        }
        for text in ["", "9", "13+0", "live", "live+13", "live+-1", "9+3+1", "alive+3"] {
            assert_eq!(text.parse::<ContextMix>(), Err(NoMix(text.to_owned())));
        }
    }
}
