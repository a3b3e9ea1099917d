//! Rights: the repositories and branches that may be read.
//!
//! Questions to the cluster are restricted by it ([`Access::filters`]), and each answer is checked by it: a mistake in one
//! of the two shows nothing.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::pattern::{Pattern, PatternError};

/// Expressions of a question. The cluster makes an automaton of each, in a millisecond.
const MOST_EXPRESSIONS: usize = 32;

/// Repositories that may be read, and which of their branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    repository: Pattern,
    /// None: all.
    branches: Vec<Pattern>,
}

impl Rule {
    /// Repositories by a pattern, and their branches by several; none for all branches.
    pub fn new(repository: &str, branches: &[String]) -> Result<Self, PatternError> {
        let branches = branches.iter().map(|it| Pattern::new(it)).collect::<Result<_, _>>()?;
        Ok(Self { repository: Pattern::new(repository)?, branches })
    }
}

/// The right to read repositories, and the selection of those that a question is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// `None`: everything.
    rules: Option<Vec<Rule>>,
    /// Selections, each by some patterns; a repository must be in all. None: everything that may be read.
    asked: Vec<Vec<Pattern>>,
}

impl Access {
    /// Everything: whoever may read the index reads all.
    pub fn all() -> Self {
        Self::default()
    }

    /// Rights by rules: each allows what it names, and without any nothing may be read.
    pub fn of(rules: Vec<Rule>) -> Self {
        Self { rules: Some(rules), asked: Vec::new() }
    }

    /// Only repositories of these names and patterns among those that may be read and were asked for so far; without any,
    /// all of them.
    pub fn only(&self, asked: &[String]) -> Result<Self, PatternError> {
        let mut res = self.clone();
        if !asked.is_empty() {
            let patterns = asked.iter().map(|it| Pattern::new(it)).collect::<Result<_, _>>()?;
            res.asked.push(patterns);
        }
        Ok(res)
    }

    /// The only repository that is asked for; `None` if there may be several.
    pub fn single(&self) -> Option<&str> {
        self.asked.iter().find_map(|it| match &it[..] {
            [it] if it.is_name() => Some(it.as_str()),
            _ => None,
        })
    }

    /// True if some branch of the repository may be read, and the question is about it.
    pub fn reads_repository(&self, repository: &str) -> bool {
        let is_asked = self.asked.iter().all(|it| it.iter().any(|it| it.matches(repository)));
        is_asked && self.rules.as_ref().is_none_or(|_| self.rules_of(repository).next().is_some())
    }

    /// True if the branch may be read.
    pub fn reads_branch(&self, repository: &str, branch: &str) -> bool {
        let allows =
            |it: &Rule| it.branches.is_empty() || it.branches.iter().any(|it| it.matches(branch));
        self.reads_repository(repository)
            && (self.rules.is_none() || self.rules_of(repository).any(allows))
    }

    /// True if all branches of the repository may be read: then counts over all of them tell nothing that is forbidden.
    pub fn reads_all_branches(&self, repository: &str) -> bool {
        self.reads_repository(repository)
            && (self.rules.is_none() || self.rules_of(repository).any(|it| it.branches.is_empty()))
    }

    fn rules_of(&self, repository: &str) -> impl Iterator<Item = &Rule> {
        let rules = self.rules.as_deref().unwrap_or_default();
        rules.iter().filter(move |it| it.repository.matches(repository))
    }

    /// True if it has more patterns than a question should have expressions: then the names of all repositories are compared here.
    pub(crate) fn has_many_patterns(&self) -> bool {
        let rules = self.rules.iter().flatten().map(|it| &it.repository);
        let all = rules.chain(self.asked.iter().flatten());
        all.filter(|it| !it.is_name()).count() > MOST_EXPRESSIONS
    }

    /// The filters of a search over all repositories. Given the names of all, sorted, patterns are compared here.
    pub(crate) fn filters(&self, all: Option<&[String]>) -> Vec<Value> {
        let rules = self.rules.as_ref();
        let allowed = rules.map(|it| any_of(it.iter().map(|it| &it.repository).collect(), all));
        let asked = self.asked.iter().map(|it| any_of(it.iter().collect(), all));
        allowed.into_iter().chain(asked).collect()
    }
}

/// The filter of repositories that match one of the patterns.
fn any_of(patterns: Vec<&Pattern>, all: Option<&[String]>) -> Value {
    let (names, patterns): (Vec<&Pattern>, Vec<&Pattern>) =
        patterns.into_iter().partition(|it| it.is_name());
    let names = names.into_iter().map(Pattern::as_str);
    if let Some(all) = all {
        let matching = patterns.iter().flat_map(|it| it.matching(all)).map(String::as_str);
        let names: BTreeSet<&str> = names.chain(matching).collect();
        return json!({ "terms": { "repository": names } });
    }
    let names: Vec<&str> = names.collect();
    let mut any = vec![json!({ "terms": { "repository": names } })];
    any.extend(patterns.iter().map(|it| {
        // Without flags, only what `expression` escapes is special.
        json!({ "regexp": { "repository": { "value": it.expression(), "flags": "NONE" } } })
    }));
    json!({ "bool": { "should": any, "minimum_should_match": 1 } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        let main = ["main".to_owned(), "release/*".to_owned()];
        let rules = [("acme/*", &[][..]), ("lib/json", &main[..])];
        Access::of(rules.map(|it| Rule::new(it.0, it.1).unwrap()).into())
    }

    #[test]
    fn only_what_a_rule_names_may_be_read() {
        let access = access();
        assert!(access.reads_branch("acme/shop", "any/branch"));
        assert!(access.reads_branch("lib/json", "release/2"));
        assert!(access.reads_repository("lib/json") && !access.reads_all_branches("lib/json"));
        for (repository, branch) in [
            ("lib/json", "topic"),
            ("lib/json", "MAIN"),
            ("other", "main"),
            ("acme/../lib", "main"),
        ] {
            assert!(!access.reads_branch(repository, branch), "{repository} {branch}");
        }
        assert!(!Access::of(Vec::new()).reads_repository("acme/shop"));
        assert!(Access::all().reads_branch("any", "branch"));
    }

    #[test]
    fn what_is_asked_for_adds_no_rights() {
        let all = access().only(&["**".to_owned()]).unwrap();
        assert!(all.reads_repository("acme/shop") && !all.reads_repository("other"));
        assert_eq!(all.filters(None).len(), 2);
        let one = access().only(&["acme/shop".to_owned()]).unwrap();
        assert!(!one.reads_repository("acme/other") && !one.reads_branch("lib/json", "main"));
        assert_eq!((one.single(), all.single()), (Some("acme/shop"), None));
    }

    #[test]
    fn a_selection_of_a_selection_is_in_both() {
        let only = |it: &Access, asked: &str| it.only(&[asked.to_owned()]).unwrap();
        let acme = only(&Access::all(), "acme/*");
        assert!(only(&acme, "**").reads_repository("acme/shop"));
        assert!(!only(&acme, "**").reads_repository("other/x"));
        assert!(only(&acme, "acme/s*").reads_repository("acme/shop"));
        assert!(!only(&acme, "acme/s*").reads_repository("acme/web"));
        assert!(!only(&acme, "acme/**").reads_repository("acme/a/b"));
        let other = only(&acme, "other/x");
        assert_eq!((other.single(), other.reads_repository("other/x")), (Some("other/x"), false));
        assert_eq!((only(&acme, "**").filters(None).len(), acme.only(&[]).unwrap()), (2, acme));
    }

    #[test]
    fn many_patterns_are_compared_here() {
        let all: Vec<String> =
            ["acme/a", "acme/b/c", "acme/shop", "other/shop", "x"].map(str::to_owned).into();
        let rule = |it: &str| Rule::new(it, &[]).unwrap();
        let mut rules = vec![rule("acme/*"), rule("**shop"), rule("x"), rule("gone")];
        assert!(!Access::of(rules.clone()).has_many_patterns());
        let names = |rules: &[Rule]| {
            let filters = Access::of(rules.to_vec()).filters(Some(&all));
            filters[0]["terms"]["repository"].clone()
        };
        assert_eq!(names(&rules), json!(["acme/a", "acme/shop", "gone", "other/shop", "x"]));
        // What no rule allows is not among them, and what a filter names is what the check of answers allows.
        rules.extend((0..100).map(|n| rule(&format!("tenant/{n}*"))));
        let access = Access::of(rules.clone());
        assert!(access.has_many_patterns());
        let named = names(&rules);
        for it in &all {
            let is_named = named.as_array().unwrap().contains(&json!(it));
            assert_eq!(is_named, access.reads_repository(it), "{it}");
        }
    }

    #[test]
    fn no_rule_asks_for_nothing() {
        let filter = &Access::of(Vec::new()).filters(None)[0];
        assert_eq!(filter["bool"]["should"][0]["terms"]["repository"], json!([]));
    }
}
