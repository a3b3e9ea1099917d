//! Signals: independent ways to find chunks, each with a ranked list.
//!
//! To add one: a variant here and in [`Signal::ALL`], its name, a retrieval function in `retrieve/` and its arm in
//! `retrieve.rs`. Presets that do not name it give it weight 0. `CONTRIBUTING.md` has the recipe.

use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The source of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Words of the query.
    Lexical,
    /// Definitions of names in the question or near the cursor.
    Symbol,
    /// Files that the cursor's file imports, and files that import it.
    Graph,
    /// Files of the same directory.
    Package,
    /// Recently opened or edited files.
    Recent,
    /// Lines that are not in the last commit.
    Diff,
    /// Heads of similar files, if the cursor is among imports or before any code.
    Head,
    /// Chunks similar to the question in meaning.
    Dense,
    /// Blocks of a plan for the cursor's file.
    Speculated,
}

impl Signal {
    /// Number of signals.
    pub const COUNT: usize = Self::ALL.len();

    /// All signals, in the order in which they are retrieved and summed.
    pub const ALL: [Self; 9] = [
        Self::Lexical,
        Self::Symbol,
        Self::Graph,
        Self::Package,
        Self::Recent,
        Self::Diff,
        Self::Head,
        Self::Dense,
        Self::Speculated,
    ];

    /// Name in configurations and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Symbol => "symbol",
            Self::Graph => "graph",
            Self::Package => "package",
            Self::Recent => "recent",
            Self::Diff => "diff",
            Self::Head => "head",
            Self::Dense => "dense",
            Self::Speculated => "speculated",
        }
    }

    /// The signal with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The score of a chunk on a signal's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalScore {
    /// Rank on the list, from 1.
    pub rank: NonZeroU32,
    /// Score of the signal; comparable only within its list.
    pub score: f32,
    /// `score` divided by the highest score of the list, or by the expected minimum of a good list.
    pub relative: f32,
}

/// A value for each signal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PerSignal<T>([T; Signal::COUNT]);

impl<T: Copy> PerSignal<T> {
    /// The values with their signals, in the order of [`Signal::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Signal, T)> {
        Signal::ALL.into_iter().zip(self.0)
    }
}

impl<T> Index<Signal> for PerSignal<T> {
    type Output = T;

    fn index(&self, signal: Signal) -> &T {
        &self.0[signal as usize]
    }
}

impl<T> IndexMut<Signal> for PerSignal<T> {
    fn index_mut(&mut self, signal: Signal) -> &mut T {
        &mut self.0[signal as usize]
    }
}

impl<T: Default> FromIterator<(Signal, T)> for PerSignal<T> {
    fn from_iter<I: IntoIterator<Item = (Signal, T)>>(pairs: I) -> Self {
        let mut res = Self(std::array::from_fn(|_| T::default()));
        for (signal, value) in pairs {
            res[signal] = value;
        }
        res
    }
}

/// Serializes as a map from names to values.
impl<T: Serialize + Copy> Serialize for PerSignal<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(signal, value)| (signal.name(), value)))
    }
}

/// Signals missing in the map get the default value; unknown names are errors.
impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for PerSignal<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Map<T> {
            type Value = PerSignal<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map from signals to values")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut pairs = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    let unknown = || {
                        let names = Signal::ALL.map(Signal::name).join(", ");
                        de::Error::custom(format!("unknown signal `{name}`; signals are {names}"))
                    };
                    pairs.push((Signal::named(&name).ok_or_else(unknown)?, map.next_value()?));
                }
                Ok(pairs.into_iter().collect())
            }
        }
        deserializer.deserialize_map(Map(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_and_written_by_the_names_of_the_signals() {
        let weights: PerSignal<f32> =
            [(Signal::Lexical, 1.0), (Signal::Graph, 0.4)].into_iter().collect();
        let text = r#"{"lexical":1.0,"symbol":0.0,"graph":0.4,"package":0.0,"recent":0.0,"diff":0.0,"head":0.0,"dense":0.0,"speculated":0.0}"#;
        assert_eq!(serde_json::to_string(&weights).unwrap(), text);
        let read = |text: &str| serde_json::from_str::<PerSignal<f32>>(text);
        assert_eq!(read(r#"{"graph":0.4,"lexical":1}"#).unwrap(), weights);
        let error = read(r#"{"lexicl":1}"#).unwrap_err().to_string();
        assert!(error.contains("lexicl") && error.contains("lexical, symbol"), "{error}");
    }

    #[test]
    fn a_signal_stands_at_its_place_among_all() {
        for (at, signal) in Signal::ALL.into_iter().enumerate() {
            assert_eq!(signal as usize, at);
            assert_eq!(Signal::named(signal.name()), Some(signal));
        }
    }
}
