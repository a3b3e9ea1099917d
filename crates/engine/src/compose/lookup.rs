//! Finds formats by name or model.

use crate::compose::format::Format;
use crate::compose::names::Name;
use crate::compose::prompt::{Hole, Part};
use crate::compose::render::compose;
use crate::compose::table::FORMATS;

impl Format {
    /// All formats, in the order in which model names are matched.
    pub const ALL: &'static [Format] = FORMATS;

    /// The format with this name or alias, ignoring case.
    pub fn named(name: &str) -> Option<&'static Format> {
        Self::ALL.iter().find(|it| {
            it.name.eq_ignore_ascii_case(name)
                || it.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        })
    }

    /// The format for a model name; `None` if no pattern matches. Callers then ask the user for a format: a wrong
    /// format gives plausible nonsense rather than an error.
    ///
    /// A name (`Qwen/Qwen2.5-Coder-7B`, `deepseek-coder:6.7b-base-q4_K_M`) is split into words of letters and words of
    /// digits; a pattern matches if its words occur consecutively.
    pub fn of_model(model: &str) -> Option<&'static Format> {
        let name = Name::new(model);
        Self::ALL.iter().find(|it| it.covers(&name))
    }

    /// Context window of a model name, or the format's default.
    pub fn window_of(&self, model: &str) -> usize {
        let name = Name::new(model);
        let model = self.models.iter().find(|it| name.matches(it.pattern));
        model.map_or(self.window, |it| it.window)
    }

    /// The template with placeholders in braces, for people.
    pub fn outline(&self) -> String {
        let hole = Hole {
            repository: "{repository}",
            path: "{path}",
            line_comment: None,
            language_name: Some("{language}"),
            prefix: "{prefix}",
            suffix: "{suffix}",
        };
        compose(self, &hole, &[Part { path: "{piece path}", text: "{piece}" }]).text
    }

    fn covers(&self, name: &Name) -> bool {
        self.models.iter().any(|it| name.matches(it.pattern))
            && !self.not.iter().any(|it| name.matches(it))
    }
}
