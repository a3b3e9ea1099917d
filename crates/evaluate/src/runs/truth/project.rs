//! A project of a truth folder: its sources without marks, and its tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::index::{CommitDiff, FileDiff, IndexConfig, Snapshot};
use foreword_engine::scope::Cursor;
use foreword_engine::source::Source;

use super::expectations::Expectations;
use super::location::LocationSpec;
use super::mark::{self, CursorMark};

/// Sources and tasks.
#[derive(Clone, Debug)]
pub struct Project {
    pub(crate) name: String,
    /// The files on disk, by path.
    pub(crate) sources: Vec<Source>,
    /// Changes since the last commit, by path, since the order of writing is unknown.
    pub(crate) diff: CommitDiff,
    pub(crate) tasks: Vec<Task>,
}

/// One task.
#[derive(Clone, Debug)]
pub struct Task {
    /// `project` or `project/name`.
    pub name: String,
    /// Its cursor or its query.
    pub(crate) input: TaskInput,
    /// Locations that must be found.
    pub(crate) expect: Vec<LocationSpec>,
    /// Locations that must not rank above an expected one.
    pub(crate) below: Vec<LocationSpec>,
    /// Locations whose ranks are recorded, not judged.
    pub(crate) watch: Vec<LocationSpec>,
    /// All other expectations.
    pub(crate) expectations: Expectations,
}

/// The input of a task.
#[derive(Clone, Debug)]
pub enum TaskInput {
    /// A position in a buffer.
    Cursor(Cursor),
    /// A question or a name.
    Query(String),
}

impl Project {
    /// Reads marks and takes this project's expectations.
    pub fn new(
        name: &str,
        marked: BTreeMap<String, String>,
        expectations: &mut BTreeMap<String, Expectations>,
    ) -> Result<Self> {
        let (mut sources, mut tasks) = (Vec::new(), Vec::new());
        let mut diff = CommitDiff::default();
        for (path, text) in marked {
            let read = mark::read(&text).with_context(|| path.clone())?;
            for mark in read.cursors {
                let task = Task::at_mark(name, &path, &read.buffer, mark, expectations);
                tasks.push(task.with_context(|| path.clone())?);
            }
            let committed = Some(read.committed).filter(|it| !it.is_empty()).map(Into::into);
            diff.files.extend(FileDiff::new(path.clone(), committed, &read.saved));
            sources.push(Source { path, text: read.saved });
        }
        tasks.extend(searches(name, expectations)?);
        tasks.sort_by(|a, b| a.name.cmp(&b.name));
        let twice = tasks.windows(2).find(|it| it[0].name == it[1].name);
        ensure!(twice.is_none(), "two tasks are called {}", twice.map_or("", |it| &it[0].name));
        ensure!(!tasks.is_empty(), "the project has no task: no <CURSOR: …> and no query");
        Ok(Self { name: name.to_owned(), sources, diff, tasks })
    }

    /// Indexes the files on disk.
    pub fn snapshot(&self) -> Result<Snapshot> {
        let built = Snapshot::of_sources(self.sources.clone(), IndexConfig::default());
        let built = built.map(|it| it.with_diff(Arc::new(self.diff.clone())));
        built.with_context(|| format!("cannot index {}", self.name))
    }
}

/// The expectations with a query whose names begin with the project's.
fn searches(project: &str, expectations: &mut BTreeMap<String, Expectations>) -> Result<Vec<Task>> {
    let ours = |(name, expectations): (&String, &Expectations)| {
        let is_ours = name == project || name.starts_with(&format!("{project}/"));
        (is_ours && expectations.query.is_some()).then(|| name.clone())
    };
    let names: Vec<String> = expectations.iter().filter_map(ours).collect();
    let mut res = Vec::new();
    for name in names {
        let Some(expectations) = expectations.remove(&name) else { continue };
        let query = expectations.query.clone().unwrap_or_default();
        let is_for_prompts = !expectations.shows.is_empty()
            || !expectations.hides.is_empty()
            || !expectations.recent.is_empty();
        ensure!(
            !is_for_prompts,
            "[task.\"{name}\"]: `shows`, `hides` and `recent` are for cursors, not for queries"
        );
        res.push(Task::new(name, TaskInput::Query(query), Vec::new(), expectations)?);
    }
    Ok(res)
}

impl Task {
    fn at_mark(
        project: &str,
        path: &str,
        buffer: &str,
        mark: CursorMark,
        expectations: &mut BTreeMap<String, Expectations>,
    ) -> Result<Self> {
        let name = match mark.name.as_str() {
            "" => project.to_owned(),
            name => format!("{project}/{name}"),
        };
        let expectations = expectations.remove(&name).unwrap_or_default();
        ensure!(expectations.query.is_none(), "[task.\"{name}\"] has a query and a <CURSOR>");
        let cursor = Cursor::new(path, buffer, mark.offset)?
            .with_recent(expectations.recent.clone())
            .with_intent(expectations.intent.clone());
        let input = TaskInput::Cursor(cursor);
        Self::new(name, input, mark.expect, expectations)
    }

    fn new(
        name: String,
        input: TaskInput,
        mut expect: Vec<String>,
        expectations: Expectations,
    ) -> Result<Self> {
        expect.extend(expectations.expect.iter().cloned());
        let places = |written: &[String]| -> Result<Vec<LocationSpec>> {
            let places = written.iter().map(|it| LocationSpec::parse(it));
            places.collect::<Result<_>>().with_context(|| format!("task {name}"))
        };
        let (expect, below) = (places(&expect)?, places(&expectations.below)?);
        let watch = places(&expectations.watch)?;
        let demands =
            !expect.is_empty() || !expectations.shows.is_empty() || !expectations.hides.is_empty();
        ensure!(demands, "task {name} demands nothing");
        ensure!(
            below.iter().chain(&watch).all(|it| it.form.is_none()),
            "task {name}: a form is for expected places"
        );
        Ok(Self { name, input, expect, below, watch, expectations })
    }

    /// The last accepted rank of an expected location.
    pub fn within(&self) -> usize {
        self.expectations.within.unwrap_or(self.expect.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(text: &str, toml: &str) -> Result<Project> {
        let marked = BTreeMap::from([("a.py".to_owned(), text.to_owned())]);
        Project::new("python", marked, &mut toml::from_str(toml)?)
    }

    #[test]
    fn marks_and_queries_are_tasks_named_after_the_project() {
        let toml = "[\"python/ask\"]\nquery = \"b\"\nexpect = [\"a.py\"]\n[python]\nwithin = 3\n";
        let project = project("b = <CURSOR: a.py>", toml).unwrap();
        let names: Vec<&str> = project.tasks.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["python", "python/ask"]);
        assert_eq!((project.tasks[0].within(), project.tasks[1].within()), (3, 1));
    }

    #[test]
    fn tasks_that_demand_nothing_or_are_there_twice_are_errors() {
        for (text, toml, word) in [
            ("<CURSOR:>", "", "demands nothing"),
            ("<CURSOR: a.py><CURSOR: a.py>", "", "two tasks"),
            ("x", "", "no task"),
            ("<CURSOR: a.py>", "[python]\nquery = \"b\"", "query and a <CURSOR>"),
            ("x", "[python]\nquery = \"b\"\nshows = [\"x\"]", "not for queries"),
        ] {
            let error = format!("{:#}", project(text, toml).unwrap_err());
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
