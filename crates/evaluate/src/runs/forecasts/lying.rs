//! A plan of a model that did not read the repository: licences, the beginning of the README, and an empty function.

use foreword_chunk::Language;
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{StatedForecast, StatedLines, stated_blocks, stated_forecasts};

use super::added::AddedFunction;

/// Files that every plan could cite, with as many lines as there are up to this number.
const CITED: [(&str, u32); 6] = [
    ("LICENSE", 20),
    ("LICENSE.txt", 20),
    ("LICENSE.md", 20),
    ("README.md", 30),
    ("README.rst", 30),
    ("CHANGELOG.md", 20),
];

/// Licences and readmes, as far as the repository has them.
pub(crate) fn false_blocks(snapshot: &Snapshot) -> Vec<StatedLines> {
    let block = |(path, last): &(&str, u32)| {
        let text = snapshot.text(snapshot.file(path)?);
        let last_line = (text.lines().count() as u32).min(*last);
        let (path, what) = ((*path).to_owned(), "helps with the next edit".to_owned());
        (last_line > 0).then_some(StatedLines { path, first_line: 1, last_line, what })
    };
    CITED.iter().filter_map(block).collect()
}

/// The items of a lying plan.
pub(super) struct LyingPlan<'a> {
    path: &'a str,
    blocks: Vec<StatedLines>,
    forecasts: Vec<StatedForecast>,
}

impl<'a> LyingPlan<'a> {
    /// The plan for the file of a function.
    pub(super) fn new(snapshot: &Snapshot, added: &'a AddedFunction) -> Self {
        let forecast = |own: &StatedForecast| {
            let (name, code) = empty_function(added.language)?;
            Some(StatedForecast { name: name.to_owned(), code: code.to_owned(), ..own.clone() })
        };
        Self {
            path: &added.path,
            blocks: false_blocks(snapshot),
            forecasts: added.forecasts.last().and_then(forecast).into_iter().collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len() + self.forecasts.len()
    }

    /// The accepted items, for people. The model has read what it cites.
    pub(super) fn accepted(&self, snapshot: &Snapshot) -> Vec<String> {
        let blocks = stated_blocks(snapshot, self.path, &self.blocks, &self.blocks).blocks;
        let forecasts = stated_forecasts(snapshot, self.path, &self.forecasts).accepted;
        let blocks = blocks.iter().map(|it| it.place.to_string());
        blocks.chain(forecasts.iter().map(|it| it.code.trim().to_owned())).collect()
    }
}

/// A function that says nothing, in languages where it parses at the top of a file.
fn empty_function(language: Language) -> Option<(&'static str, &'static str)> {
    Some(match language {
        Language::Rust => ("main", "fn main() {}\n"),
        Language::Go => ("main", "func main() {}\n"),
        Language::C | Language::Cpp => ("main", "int main(void) { return 0; }\n"),
        Language::Python => ("main", "def main():\n    pass\n"),
        Language::Ruby => ("main", "def main\nend\n"),
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Php => {
            ("main", "function main() {}\n")
        }
        Language::Kotlin => ("main", "fun main() {}\n"),
        Language::Swift => ("main", "func main() {}\n"),
        Language::Scala => ("main", "def main(): Unit = ()\n"),
        Language::Lua => ("main", "function main() end\n"),
        Language::Elixir => ("main", "def main, do: nil\n"),
        _ => return None,
    })
}
