//! Finds the format of a name or of a model.

use crate::compose::format::Format;
use crate::compose::names::Name;
use crate::compose::prompt::{Hole, Part};
use crate::compose::render::compose;
use crate::compose::table::FORMATS;

impl Format {
    /// Every format, the order being that in which names of models are tried.
    pub const ALL: &'static [Format] = FORMATS;

    /// The format with this name or alias, in capitals or not.
    pub fn named(name: &str) -> Option<&'static Format> {
        Self::ALL.iter().find(|it| {
            it.name.eq_ignore_ascii_case(name)
                || it.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        })
    }

    /// The format of the model with this name; `None` when no pattern matches, and then the caller asks the user
    /// for a format by name: a guessed format gives confident garbage, not an error.
    ///
    /// A name (`Qwen/Qwen2.5-Coder-7B`, `deepseek-coder:6.7b-base-q4_K_M`) is read as words of letters and words of
    /// digits, and a pattern matches where its words stand in a row in it, at any place.
    pub fn of_model(model: &str) -> Option<&'static Format> {
        let name = Name::new(model);
        Self::ALL.iter().find(|it| it.covers(&name))
    }

    /// The context window of the model with this name, else of the format.
    pub fn window_of(&self, model: &str) -> usize {
        let name = Name::new(model);
        let model = self.models.iter().find(|it| name.matches(it.pattern));
        model.map_or(self.window, |it| it.window)
    }

    /// The template with names in braces for what is filled in, for people.
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
