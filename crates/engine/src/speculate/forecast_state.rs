//! Whether a forecast may still be shown: its evidence is unchanged, and its code has not been written yet.

use memchr::memmem;

use super::plan::{FilePlan, Forecast, Place};
use crate::index::Snapshot;
use crate::source::ContentHash;

/// State of a forecast in the current texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForecastState {
    /// It may be shown.
    Open,
    /// Already written: its target file gained the forecast's first line, and a body.
    Written,
    /// These lines, which it cites, have changed.
    Unsupported(Place),
}

/// Determines the state of a forecast. `now` is the path and the text (perhaps unsaved) of the edited file; other files are
/// as indexed.
pub fn forecast_state(
    snapshot: &Snapshot,
    plan: &FilePlan,
    forecast: &Forecast,
    now: (&str, &str),
) -> ForecastState {
    if is_written(snapshot, plan, forecast, now) {
        return ForecastState::Written;
    }
    let mut cited = forecast.evidence.iter().map(|it| &it.place);
    let changed = cited.find(|it| !is_unchanged(snapshot, plan, it, now));
    changed.map_or(ForecastState::Open, |it| ForecastState::Unsupported(it.clone()))
}

/// Whether the file has the forecast's first line more often than when the plan was made. Comparing counts is needed since
/// other code, as the declaration in a base class, may have the same line.
fn is_written(
    snapshot: &Snapshot,
    plan: &FilePlan,
    it: &Forecast,
    (path, text): (&str, &str),
) -> bool {
    let first = first_line(it);
    if it.target.path != path || first.is_empty() {
        return false;
    }
    let count = |text: &str| memmem::find_iter(text.as_bytes(), first).count();
    let n = count(text);
    if n == 0 {
        return false;
    }
    let saved =
        snapshot.file(path).filter(|it| plan.path == path && snapshot.hash(*it) == plan.hash);
    let before = match saved {
        Some(saved) => count(&snapshot.text(saved)),
        // Only the cited lines of the planned text are stored.
        None => {
            let cited = it.evidence.iter().filter(|it| it.place.path == path);
            cited.filter_map(|it| lines_of(text, &it.place)).map(count).sum()
        }
    };
    n > before && !memmem::find_iter(text.as_bytes(), first).any(|at| is_begun(&text[at..], it))
}

/// Whether a text that starts with the first line of a forecast has none of its body yet, or less than half of the
/// forecast: somebody is typing it, and it is of most use.
fn is_begun(text: &str, it: &Forecast) -> bool {
    let significant = |text: &'_ str| text.lines().filter(|it| !it.trim().is_empty()).count();
    let n = significant(&it.code);
    let mut there = text.lines().filter(|it| !it.trim().is_empty());
    let lines = it.code.lines().filter(|it| !it.trim().is_empty());
    let mut met = 0;
    let next = lines.zip(&mut there).find(|(wanted, line)| {
        let is_same = wanted.trim() == line.trim();
        met += usize::from(is_same);
        !is_same
    });
    let indent = |it: &str| it.len() - it.trim_start().len();
    let first = it.code.trim_start_matches(['\n', '\r']);
    let is_closing = |it: &str| !it.contains(char::is_alphanumeric);
    let has_other_body = next.is_some_and(|it| indent(it.1) > indent(first) && !is_closing(it.1));
    !has_other_body && met * 2 < n + 1
}

/// First line of the code, trimmed.
fn first_line(it: &Forecast) -> &str {
    it.code.trim_start().lines().next().unwrap_or_default().trim_end()
}

/// Whether the cited lines are still in the text, at any position.
pub(super) fn is_unchanged(
    snapshot: &Snapshot,
    plan: &FilePlan,
    place: &Place,
    (path, text): (&str, &str),
) -> bool {
    if place.path == path {
        return lines_of(text, place).is_some();
    }
    let Some(file) = snapshot.file(&place.path) else { return false };
    let known = plan.inputs.iter().find(|it| it.path == place.path);
    let is_same = known.is_some_and(|it| it.hash == snapshot.hash(file));
    is_same || lines_of(&snapshot.text(file), place).is_some()
}

/// The cited lines in a text, searched at their old place first. As when they were cited, the hash excludes the line ends
/// after their last character.
fn lines_of<'t>(text: &'t str, place: &Place) -> Option<&'t str> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1))
        .collect();
    let n = (place.last_line + 1).saturating_sub(place.first_line) as usize;
    let lines = |first: usize| {
        let (start, end) = (*starts.get(first)?, starts.get(first + n));
        let lines = &text[start..end.copied().unwrap_or(text.len())];
        let bare = lines.trim_end_matches(['\n', '\r']);
        (ContentHash::of(bare.as_bytes()) == place.hash).then_some(lines)
    };
    let first = place.first_line.saturating_sub(1) as usize;
    lines(first).or_else(|| (0..starts.len().min(MAX_SEARCHED_LINES)).find_map(lines))
}

/// Maximum number of lines in which moved lines are searched.
const MAX_SEARCHED_LINES: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;
    use crate::speculate::plan::{Citation, PlannerKey, Target};

    const SHAPES: &str =
        "class Shape:\n    def name(self):\n        pass\n\nclass Square(Shape):\n    side = 1\n";
    const WRITTEN: &str = "class Shape:\n    def name(self):\n        pass\n\nclass Square(Shape):\n    def name(self):\n        return 1\n";

    /// State of a forecast of `name` in `Square` planned from `planned`, with `saved` indexed and `now` in the editor.
    fn state(planned: &str, saved: &str, now: &str) -> ForecastState {
        let source = Source { path: "a.py".into(), text: saved.into() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        let hash = ContentHash::of(b"    def name(self):");
        let place = Place { path: "a.py".into(), first_line: 2, last_line: 2, hash };
        let forecast = Forecast {
            name: "name".into(),
            code: "    def name(self):\n        raise NotImplementedError\n".into(),
            target: Target { path: "a.py".into(), line: 7 },
            evidence: vec![Citation { place, what: "declares name".into() }],
            score: 0.5,
        };
        let plan = FilePlan {
            path: "a.py".into(),
            hash: ContentHash::of(planned.as_bytes()),
            sketch: Vec::new(),
            planner: PlannerKey { name: "agents".into(), fingerprint: "1".into() },
            inputs: Vec::new(),
            blocks: Vec::new(),
            forecasts: vec![forecast],
        };
        forecast_state(&snapshot, &plan, &plan.forecasts[0], ("a.py", now))
    }

    #[test]
    fn a_line_that_another_class_has_does_not_make_a_forecast_written() {
        assert_eq!(state(SHAPES, SHAPES, SHAPES), ForecastState::Open);
        assert_eq!(state(SHAPES, SHAPES, WRITTEN), ForecastState::Written);
        // The file has changed since it was planned.
        let moved = format!("import os\n\n{SHAPES}");
        assert_eq!(state(SHAPES, &moved, &moved), ForecastState::Open);
        assert_eq!(state(SHAPES, WRITTEN, WRITTEN), ForecastState::Written);
    }

    #[test]
    fn a_forecast_that_is_being_typed_is_open() {
        let name = "    def name(self):\n";
        let body = "        raise NotImplementedError\n";
        assert_eq!(state(SHAPES, SHAPES, &format!("{SHAPES}{name}")), ForecastState::Open);
        let next = format!("{SHAPES}{name}\n    def area(self):\n        return 2\n");
        assert_eq!(state(SHAPES, SHAPES, &next), ForecastState::Open);
        let whole = format!("{SHAPES}{name}{body}");
        assert_eq!(state(SHAPES, SHAPES, &whole), ForecastState::Written);
    }

    #[test]
    fn a_forecast_whose_evidence_changed_names_it() {
        let other = SHAPES.replace("def name", "def title");
        let ForecastState::Unsupported(place) = state(SHAPES, &other, &other) else {
            panic!("its evidence has changed");
        };
        assert_eq!((place.first_line, place.path.as_str()), (2, "a.py"));
    }
}
