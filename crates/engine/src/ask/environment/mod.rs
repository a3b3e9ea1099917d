//! Answers which environment variables a project has by the places that read or set them, as languages and their usual
//! libraries do. A search finds code that says `env`, which is other code.

mod question;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::explain::{Draft, lines_of};
use super::types::{AskRequest, KeyLine, Role, Why};
use crate::grep::{Case, GrepMatch, GrepRequest, grep};
use crate::index::{FileId, FileRole, Snapshot};
use crate::preset::constants::ask::{
    ENVIRONMENT_BYTES, ENVIRONMENT_GAP, ENVIRONMENT_KEY_LINES, ENVIRONMENT_LINES,
    ENVIRONMENT_MATCHES, ENVIRONMENT_PLACES,
};
use crate::sorting::sort_by_key;

pub(super) use question::{EnvironmentQuestion, environment_question};

/// Patterns of the code before the name of an environment variable.
const ACCESSES: [&str; 5] = [
    // getenv("X"), os.environ["X"], ENV.fetch("X"), std::env::var("X"), process.env["X"]
    r#"\b(?:[gG]et_?[eE]nv|LookupEnv|fetch_env!?|env::var(?:_os)?|environ\.(?:get|setdefault)|[eE]nviron(?:ment)?|GetEnvironmentVariable|ENV(?:\.fetch)?|BindEnv|_ENV|(?:process|meta|Deno|Bun)\.env)\s*[\[(]\s*["'`]?"#,
    // process.env.X
    r"\b(?:process|meta|Bun)\.env\.",
    // #[arg(env = "X")], Command::env("X", y), `env:"X"`, EnvVars: ["X"]
    r#"\b[eE]nv(?:[vV]ars?)?\s*[=:(]\s*\[?["']"#,
    // [ -n "$X" ]
    r#"\[ -[nz] "\$\{?"#,
    // ${X:-default}, whose end is below
    r"\$\{",
];

/// The name of an environment variable; the last form has a default.
fn pattern() -> String {
    let [calls, fields, declarations, tests, defaults] = ACCESSES;
    let name = "[A-Z][A-Z0-9_]+";
    format!(r"(?:{calls}|{fields}|{declarations}|{tests}){name}\b|{defaults}{name}:?[-=]")
}

/// Terms of which files with such places have one, those of shells apart.
const TERMS: [&str; 4] = ["env", "environ", "environment", "getenv"];

/// The places that read or set environment variables, best first; empty where no place is about the question.
pub(super) fn accesses(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    asked: &EnvironmentQuestion,
) -> Vec<Draft> {
    let mut places = places(snapshot, request);
    let told = |it: &Place| asked.words.iter().filter(|word| it.has(word)).count();
    if !asked.words.is_empty() && !places.iter().any(|it| told(it) > 0) {
        return Vec::new();
    }
    let mut names: BTreeMap<FileId, BTreeSet<String>> = BTreeMap::new();
    for it in &places {
        names.entry(it.file).or_default().extend(it.names.iter().cloned());
    }
    let scripts_are_helpers = !is_of_scripts(snapshot);
    let order = |it: &Place| {
        let is_helper = scripts_are_helpers && is_script(snapshot, it.file);
        let n_names = names.get(&it.file).map_or(0, BTreeSet::len);
        (
            Reverse(told(it)),
            !is_own(snapshot, it.file),
            is_helper,
            Reverse(n_names),
            it.file,
            it.first,
        )
    };
    sort_by_key(&mut places, order);
    places.truncate(ENVIRONMENT_PLACES);
    places.into_iter().map(|it| it.draft(snapshot, &asked.words)).collect()
}

/// True for code that is neither an example nor of a test.
fn is_own(snapshot: &Snapshot, file: FileId) -> bool {
    matches!(snapshot.role(file), FileRole::Code | FileRole::Gathering)
}

/// True for a script of a shell, whose own variables look like those of the environment.
fn is_script(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.language(file).is_some_and(|it| it.name() == "bash")
}

/// True if most of the code is scripts.
fn is_of_scripts(snapshot: &Snapshot) -> bool {
    let (mut scripts, mut others) = (0, 0);
    for file in snapshot.files().filter(|it| is_own(snapshot, *it)) {
        if is_script(snapshot, file) {
            scripts += 1;
        } else {
            others += 1;
        }
    }
    scripts >= others
}

/// Lines of one file, near each other, that name environment variables.
struct Place {
    file: FileId,
    first: u32,
    last: u32,
    names: BTreeSet<String>,
    lines: Vec<KeyLine>,
    /// Path, definition and lines, in lower case.
    text: String,
}

impl Place {
    fn new(file: FileId, it: &GrepMatch) -> Self {
        let (first, last) = (it.line, it.line);
        let text = format!("{} {}", it.path, it.symbol).to_lowercase();
        let (names, lines) = (BTreeSet::new(), Vec::new());
        Self { file, first, last, names, lines, text }
    }

    /// True for a line that is shown together with these.
    fn is_near(&self, file: FileId, line: u32) -> bool {
        self.file == file
            && line - self.last <= ENVIRONMENT_GAP
            && line - self.first < ENVIRONMENT_LINES
    }

    fn add(&mut self, it: &GrepMatch) {
        self.last = it.line;
        self.names.extend(name_in(it));
        self.text.extend([" ", &it.text.to_lowercase()]);
        self.lines.push(KeyLine { line: it.line, text: it.text.trim().to_owned() });
    }

    /// True if its path, definition or lines have a word in lower case, whatever comes after it.
    fn has(&self, word: &str) -> bool {
        self.text.contains(word)
    }

    fn draft(self, snapshot: &Snapshot, words: &[String]) -> Draft {
        let why = vec![Why::Environment(self.names.into_iter().collect())];
        let lines = (self.first, self.last);
        let mut res = lines_of(snapshot, self.file, lines, Role::Match, why);
        let (extent, is_short) =
            (res.item.extent, self.lines.len() as u32 > self.last - self.first);
        if self.first < extent.0 || extent.1 < self.last {
            // More than one definition has the lines.
            (res.item.extent, res.definition) = (lines, None);
            (res.item.symbol, res.item.kind) = (String::new(), None);
            res.item.signature.clear();
        }
        if !is_short {
            res.item.key_lines = nearest(self.lines, words);
        }
        res
    }
}

/// The lines to show: those nearest to one with a word of the question, else the first.
fn nearest(mut lines: Vec<KeyLine>, words: &[String]) -> Vec<KeyLine> {
    let says = |it: &&KeyLine| {
        let text = it.text.to_lowercase();
        words.iter().any(|word| text.contains(word))
    };
    let told: Vec<u32> = lines.iter().filter(says).map(|it| it.line).collect();
    sort_by_key(&mut lines, |it| told.iter().map(|at| it.line.abs_diff(*at)).min());
    lines.truncate(ENVIRONMENT_KEY_LINES);
    sort_by_key(&mut lines, |it| it.line);
    lines
}

/// The name in a line: the first word of capitals after the beginning of the match.
fn name_in(it: &GrepMatch) -> Option<String> {
    let from = it.text.char_indices().nth(it.column as usize - 1)?.0;
    let words = it.text[from..].split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    let is_name = |word: &&str| {
        word.len() > 1
            && word.starts_with(|it: char| it.is_ascii_uppercase())
            && !word.contains(|it: char| it.is_ascii_lowercase())
            && *word != "ENV"
    };
    words.into_iter().find(is_name).map(str::to_owned)
}

/// All such places, in order of file and line.
fn places(snapshot: &Snapshot, request: &AskRequest<'_>) -> Vec<Place> {
    let has_term = snapshot.files_with(&TERMS.map(str::to_owned));
    let is_kept = |file: FileId| {
        (is_own(snapshot, file) || snapshot.role(file) == FileRole::Periphery)
            && (has_term[file.0 as usize] || is_script(snapshot, file))
    };
    let mut kept = vec![false; has_term.len()];
    for file in snapshot.files() {
        kept[file.0 as usize] = is_kept(file) && request.keep.is_none_or(|keep| keep(file));
    }
    let keep = |file: FileId| kept[file.0 as usize];
    let pattern = pattern();
    let request = GrepRequest {
        pattern: &pattern,
        regex: true,
        case: Case::Sensitive,
        keep: Some(&keep),
        limit: ENVIRONMENT_MATCHES,
        most_bytes: Some(ENVIRONMENT_BYTES),
        ..GrepRequest::default()
    };
    let mut res: Vec<Place> = Vec::new();
    for it in grep(snapshot, &request).map(|it| it.matches).unwrap_or_default() {
        let Some(file) = snapshot.file(&it.path) else { continue };
        match res.last_mut().filter(|place| place.is_near(file, it.line)) {
            Some(place) => place.add(&it),
            None => {
                let mut place = Place::new(file, &it);
                place.add(&it);
                res.push(place);
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::super::{AskRequest, gather};
    use crate::index::{IndexConfig, Snapshot};
    use crate::source::Source;

    const MAIN: &str = "import os\n\n\ndef level():\n    return os.environ.get('SHOP_LEVEL', 'info')\n\n\ndef home():\n    return os.getenv(\"SHOP_HOME\")\n";
    const CLIENT: &str = "export const base = process.env.SHOP_URL || 'http://localhost'\n";
    const CLI: &str = "#[derive(Parser)]\nstruct Cli {\n    #[arg(long, env = \"SHOP_PORT\")]\n    port: u16,\n}\n";
    const ENV: &str = "/// An environment of variables of the language.\nstruct Env {\n    variables: Vec<Variable>,\n}\n";
    const RUN: &str = "#!/bin/bash\nmode=${SHOP_MODE:-fast}\necho \"${mode}\"\n";
    const TEST: &str =
        "import os\n\n\ndef test_level():\n    os.environ['SHOP_A'] = os.environ['SHOP_B']\n";

    fn places(question: &str) -> Vec<String> {
        let source = |it: (&str, &str)| Source { path: it.0.into(), text: it.1.into() };
        let sources = [
            ("shop/main.py", MAIN),
            ("web/client.ts", CLIENT),
            ("src/cli.rs", CLI),
            ("src/env.rs", ENV),
            ("run.sh", RUN),
            ("tests/test_level.py", TEST),
        ];
        let sources = sources.map(source).to_vec();
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let request =
            AskRequest { question, repository: "shop", tokens: 4000, ..AskRequest::default() };
        let found = gather(&snapshot, &request, &|it| it.len() / 4);
        let place = |it: &super::super::EvidenceItem| format!("{}:{}", it.path, it.start_line);
        found.evidence.iter().map(place).collect()
    }

    #[test]
    fn of_many_variables_those_about_the_question_and_around_them_are_shown() {
        let line = |name: &str| format!("{name} = os.getenv('SHOP_{name}')\n\n");
        let names = (0..20).map(|n| format!("KEY_{n}")).chain(["DATABASE_URL".to_owned()]);
        let text: String = names.map(|it| line(&it)).collect();
        let sources =
            vec![Source { path: "settings.py".into(), text: format!("import os\n{text}") }];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let shown = |question: &str| -> Vec<u32> {
            let request =
                AskRequest { question, repository: "shop", tokens: 4000, ..AskRequest::default() };
            let found = gather(&snapshot, &request, &|it| it.len() / 4);
            found.evidence[0].key_lines.iter().map(|it| it.line).collect()
        };
        let lines = |from: u32| (from..).step_by(2).take(12).collect::<Vec<_>>();
        assert_eq!(shown("which env vars are for the database"), lines(20));
        assert_eq!(shown("which env vars are read"), lines(2));
    }

    #[test]
    fn environment_variables_are_told_by_the_places_that_read_them() {
        let all = ["shop/main.py:5", "src/cli.rs:3", "web/client.ts:1", "run.sh:2"];
        for question in [
            "which env vars are read",
            "what environment variables does shop use?",
            "list all env vars",
            "env vars",
        ] {
            assert_eq!(places(question), all, "{question}");
        }
        assert_eq!(places("which env var sets the port")[0], "src/cli.rs:3");
        assert_eq!(places("which env vars does the client have")[0], "web/client.ts:1");
        assert_eq!(places("which env vars does the robot have")[0], "src/env.rs:1");
        assert_eq!(
            places("where are environment variables of the language kept")[0],
            "src/env.rs:1"
        );
    }
}
