//! The place of a removed function in its file as it was, and bodies that are known to be wrong.

use crate::tasks::task::Task;

/// A file of a commit with a hole in place of a body.
#[derive(Debug)]
pub(super) struct Place {
    before: String,
    after: String,
    truth: String,
    language: String,
}

impl Place {
    /// Finds the body of a task in its file as it was. The task's own text around it lacks every mention of the function.
    pub(super) fn new(task: &Task, file: &str) -> Result<Self, &'static str> {
        let truth = task.ground_truth.as_deref().ok_or("the task has no body")?;
        let prefix = task.prefix.as_deref().unwrap_or_default();
        let suffix = task.suffix.as_deref().unwrap_or_default();
        let start = prefix.len().checked_sub(task.meta.typed_before);
        let typed =
            start.and_then(|it| prefix.get(it..)).ok_or("the task is no removed function")?;
        let closing = suffix.get(..task.meta.typed_after).unwrap_or_default();
        let whole = format!("{typed}{truth}{closing}");
        let mut found = file.match_indices(&whole).map(|it| it.0 + typed.len());
        let (Some(at), None) = (found.next(), found.next()) else {
            return Err("its text is not once in its file");
        };
        Ok(Self {
            before: file[..at].to_owned(),
            after: file[at + truth.len()..].to_owned(),
            truth: truth.to_owned(),
            language: task.language.clone(),
        })
    }

    /// The file with a body. A body that ends without a line feed gets that of the truth.
    pub(super) fn with(&self, body: &str) -> String {
        let ends_line = self.truth.ends_with('\n') && !body.is_empty() && !body.ends_with('\n');
        let end = if ends_line { "\n" } else { "" };
        format!("{}{body}{end}{}", self.before, self.after)
    }

    /// The file as it was.
    pub(super) fn with_truth(&self) -> String {
        self.with(&self.truth)
    }

    /// The file with a body that does nothing.
    pub(super) fn with_nothing(&self) -> String {
        match self.language.as_str() {
            "python" => self.with(&format!("{}pass", self.indent())),
            _ => self.with(""),
        }
    }

    /// The file with a statement before the true body that ends the program or the test; `None` where a body that does
    /// nothing is accepted by the language anyway. In a compiled language a body that does nothing mostly fails to
    /// compile, which says nothing about the tests.
    pub(super) fn with_stop(&self) -> Option<String> {
        let stop = match self.language.as_str() {
            "rust" => "if true { panic!() }",
            "go" => "if true { panic(\"not written\") }",
            "java" => "if (true) throw new UnsupportedOperationException();",
            "csharp" => "if (true) throw new System.NotImplementedException();",
            "kotlin" => "if (true) throw UnsupportedOperationException()",
            "scala" => "if (true) throw new UnsupportedOperationException()",
            "swift" => "if true { fatalError() }",
            "c" | "cpp" => "__builtin_trap();",
            _ => return None,
        };
        Some(self.with(&format!("{}{stop}\n{}", self.indent(), self.truth)))
    }

    fn indent(&self) -> &str {
        let line = self.truth.lines().find(|it| !it.trim().is_empty()).unwrap_or_default();
        &line[..line.len() - line.trim_start().len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "from m import a, b\n\n\ndef f(x):\n    return g(x)\n\n\ndef g(x):\n    return x\n";

    fn task(prefix: &str, typed_before: usize, truth: &str, language: &str) -> Task {
        let mut res = Task {
            prefix: Some(prefix.to_owned()),
            suffix: Some(String::new()),
            ground_truth: Some(truth.to_owned()),
            language: language.to_owned(),
            ..Task::default()
        };
        res.meta.typed_before = typed_before;
        res
    }

    #[test]
    fn a_body_is_found_where_the_text_around_it_was_changed() {
        let place = Place::new(&task("def g(x):\n", 10, "    return x\n", "python"), FILE).unwrap();
        assert_eq!(place.with_truth(), FILE);
        let head = &FILE[..FILE.len() - "    return x\n".len()];
        assert_eq!(place.with_nothing(), format!("{head}    pass\n"));
        assert_eq!(place.with("    return 2 * x"), format!("{head}    return 2 * x\n"));
        assert!(place.with_stop().is_none());
    }

    #[test]
    fn a_text_that_is_there_twice_or_not_at_all_has_no_place() {
        let twice = "fn a() {\n    1\n}\nfn a() {\n    1\n}\n";
        for file in [twice, "fn b() {\n    1\n}\n"] {
            assert!(Place::new(&task("fn a() {\n", 9, "    1\n", "rust"), file).is_err());
        }
    }

    #[test]
    fn a_stopped_body_is_still_whole_so_that_it_compiles() {
        let file = "fn a() -> u8 {\n    1\n}\n";
        let place = Place::new(&task("fn a() -> u8 {\n", 15, "    1\n", "rust"), file).unwrap();
        let stopped = place.with_stop().unwrap();
        assert_eq!(stopped, "fn a() -> u8 {\n    if true { panic!() }\n    1\n}\n");
    }
}
