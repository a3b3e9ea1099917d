//! Settings of prompts: length, number and order of pieces, and the text around the cursor.

use foreword_engine::order::Order;
use foreword_engine::preset::{self, MAX_BUDGET, Preset};
use foreword_engine::trim::Trim;

use super::layers::Layers;
use crate::usage::usage;

/// Overrides of the preset; unset fields keep the preset's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Lines of a piece, at most.
    pub piece_lines: Option<usize>,
    /// Number of pieces, at most.
    pub pieces: Option<usize>,
    /// Name of the order of the pieces.
    pub order: Option<String>,
    /// Name of the way in which the text around the cursor is cut.
    pub trim: Option<String>,
}

impl Shape {
    pub(super) fn of(layers: &Layers) -> Self {
        Self {
            piece_lines: layers.optional_number("piece_lines").value,
            pieces: layers.optional_number("pieces").value,
            order: layers.text("order").value,
            trim: layers.text("trim").value,
        }
    }

    /// These settings, with unset ones from `other`.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self {
            piece_lines: self.piece_lines.or(other.piece_lines),
            pieces: self.pieces.or(other.pieces),
            order: self.order.clone().or_else(|| other.order.clone()),
            trim: self.trim.clone().or_else(|| other.trim.clone()),
        }
    }

    /// The preset with these settings and `budget` tokens.
    pub fn preset(&self, budget: usize) -> anyhow::Result<Preset> {
        let mut preset = preset::context();
        let settings = &mut preset.budget;
        settings.total = budget.min(MAX_BUDGET);
        if self.piece_lines == Some(0) {
            return Err(usage("piece_lines = 0: a piece has one line at least"));
        }
        settings.excerpt = self.piece_lines.unwrap_or(settings.excerpt);
        settings.max_pieces = self.pieces.unwrap_or(settings.max_pieces);
        if let Some(name) = &self.order {
            let found = Order::ALL.into_iter().find(|it| it.name() == name);
            settings.order =
                found.ok_or_else(|| unknown("order", name, &Order::ALL.map(Order::name)))?;
        }
        if let Some(name) = &self.trim {
            let found = Trim::ALL.into_iter().find(|it| it.name() == name);
            settings.trim =
                found.ok_or_else(|| unknown("trim", name, &Trim::ALL.map(Trim::name)))?;
        }
        Ok(preset)
    }
}

fn unknown(key: &str, name: &str, all: &[&str]) -> anyhow::Error {
    usage(format!("--{key} {name}: no such {key}; there are {}", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::Flags;
    use super::super::file::ConfigFile;
    use super::*;

    fn shape(piece_lines: Option<usize>, order: Option<&str>) -> Shape {
        Shape { piece_lines, order: order.map(str::to_owned), ..Shape::default() }
    }

    #[test]
    fn what_is_set_first_counts_and_the_rest_is_the_presets() {
        let set = shape(Some(7), None).or(&shape(Some(9), Some("best-last")));
        let preset = set.preset(900).unwrap().budget;
        assert_eq!((preset.total, preset.excerpt, preset.order), (900, 7, Order::BestLast));
        assert_eq!(Shape::default().preset(4096).unwrap(), preset::context());
        let shown = Layers::new(&Flags::new(), &ConfigFile::default()).unwrap();
        assert_eq!(Shape::of(&shown).preset(4096).unwrap(), preset::context());
    }

    #[test]
    fn mistakes_name_what_there_is() {
        let error = |it: Shape| it.preset(900).unwrap_err().to_string();
        assert!(error(shape(None, Some("best"))).contains("auto, best-first, best-last"));
        assert!(error(shape(Some(0), None)).contains("one line at least"));
    }
}
