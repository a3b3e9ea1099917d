//! The signals: independent ways to find chunks, each with a ranked list of its own.
//!
//! To add one: a variant here and in [`Signal::ALL`], its name, its retrieval function in `retrieve/` and its arm in
//! `retrieve.rs`. Presets that do not name it give it no weight. `CONTRIBUTING.md` has the recipe.

use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a hit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// The words of the query.
    Lexical,
    /// The definition of a name that the question contains or that is used near the hole.
    Symbol,
    /// A file that the cursor's file imports, or that imports it.
    Graph,
    /// A file in the same directory.
    Package,
    /// A file that was opened or edited recently.
    Recent,
    /// Lines that the last commit does not have.
    Diff,
    /// The head of a file like the cursor's, when the hole is in a head: among imports, or before any code.
    Head,
    /// A chunk that means what the question says.
    Dense,
    /// A block of the plan that was made for the cursor's file.
    Speculated,
}

impl Signal {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them, in the order in which they are retrieved and summed.
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

    /// The name in configurations and reports.
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

/// What one signal says of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalScore {
    /// The place on the signal's list, from 1.
    pub rank: NonZeroU32,
    /// The signal's own score; comparable within its list only.
    pub score: f32,
    /// `score` divided by the highest score of the list, or by what a list should have at least.
    pub relative: f32,
}

/// One value for each signal.
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

/// A map from names to values.
impl<T: Serialize + Copy> Serialize for PerSignal<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(signal, value)| (signal.name(), value)))
    }
}

/// A signal that the map does not name has the default value; an unknown name is an error.
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
                        de::Error::custom(format!(
                            "no signal is called `{name}`; there are {names}"
                        ))
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
