//! Patterns of the names of repositories and branches.

/// Most bytes of a pattern: as an expression of the cluster it has at most 1,000.
const MOST_BYTES: usize = 200;

/// The name of a repository or branch, or some of them: `*` stands for any characters but `/`, `**` for any. Letters are
/// compared with their case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

/// A pattern that cannot be used.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// No character.
    #[error("a pattern is empty; write ** for all")]
    Empty,
    /// Too many characters.
    #[error("the pattern {start}… has more than {MOST_BYTES} bytes; write a shorter one")]
    Long {
        /// Its start.
        start: String,
    },
    /// A character that is in no name.
    #[error(
        "the pattern {pattern:?} has a space at its end or a control character, which no name has"
    )]
    Character {
        /// The pattern.
        pattern: String,
    },
}

/// A part of a pattern.
#[derive(Clone, Copy)]
enum Part {
    /// Any characters.
    All,
    /// Any characters but `/`.
    Segment,
    One(char),
}

impl Pattern {
    /// Checks a pattern.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if text.len() > MOST_BYTES {
            return Err(PatternError::Long { start: text.chars().take(40).collect() });
        }
        if text.trim() != text || text.chars().any(char::is_control) {
            return Err(PatternError::Character { pattern: text.to_owned() });
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether it is the name of one.
    pub fn is_name(&self) -> bool {
        !self.0.contains('*')
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names that match, of sorted ones.
    pub(super) fn matching<'n>(&self, names: &'n [String]) -> impl Iterator<Item = &'n String> {
        let start = self.start();
        let first = names.partition_point(|it| it.as_str() < start);
        let possible = names[first..].iter().take_while(move |it| it.starts_with(start));
        possible.filter(|it| self.matches(it))
    }

    /// The text before the first `*`, with which every matching name begins.
    fn start(&self) -> &str {
        self.0.split('*').next().unwrap_or_default()
    }

    fn parts(&self) -> Vec<Part> {
        let mut res = Vec::new();
        let mut rest = self.0.chars().peekable();
        while let Some(it) = rest.next() {
            if it != '*' {
                res.push(Part::One(it));
            } else if rest.next_if_eq(&'*').is_some() {
                res.push(Part::All);
            } else {
                res.push(Part::Segment);
            }
        }
        res
    }

    /// Whether a name matches; at most as many steps as pattern and name have characters, multiplied.
    pub fn matches(&self, name: &str) -> bool {
        if self.is_name() {
            return self.0 == name;
        }
        // Of a thousand rules most end here.
        if !name.starts_with(self.start()) {
            return false;
        }
        let parts = self.parts();
        // Parts before which the name so far may end.
        let mut at = vec![false; parts.len() + 1];
        at[0] = true;
        skip_stars(&parts, &mut at);
        for it in name.chars() {
            let mut next = vec![false; parts.len() + 1];
            for (n, part) in parts.iter().enumerate().filter(|(n, _)| at[*n]) {
                match part {
                    Part::All => next[n] = true,
                    Part::Segment => next[n] |= it != '/',
                    Part::One(own) => next[n + 1] |= *own == it,
                }
            }
            skip_stars(&parts, &mut next);
            at = next;
        }
        at[parts.len()]
    }

    /// As a regular expression of Lucene's.
    pub(super) fn expression(&self) -> String {
        let part = |it: Part| match it {
            Part::All => ".*".to_owned(),
            Part::Segment => "[^/]*".to_owned(),
            Part::One(it) if it.is_alphanumeric() => it.to_string(),
            Part::One(it) => format!("\\{it}"),
        };
        self.parts().into_iter().map(part).collect()
    }
}

/// A star may stand for nothing.
fn skip_stars(parts: &[Part], at: &mut [bool]) {
    for (n, part) in parts.iter().enumerate() {
        if at[n] && !matches!(part, Part::One(_)) {
            at[n + 1] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let it = Pattern::new(pattern).unwrap();
        for name in matching {
            assert!(it.matches(name), "{pattern} {name}");
        }
        for name in others {
            assert!(!it.matches(name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_star_ends_at_a_slash() {
        check("acme/*", &["acme/shop", "acme/"], &["acme", "acme/a/b", "evil/acme/a", "Acme/shop"]);
        check("acme/**", &["acme/shop", "acme/a/b"], &["acme2/shop"]);
        check("*-api", &["shop-api"], &["shop-api2", "acme/shop-api"]);
        check("a*b*c", &["abc", "axbbyc"], &["ab", "a/bc"]);
        check("**", &["a", "a/b", ""], &[]);
    }

    #[test]
    fn other_characters_stand_for_themselves() {
        check("acme/shop", &["acme/shop"], &["acme/shop/", "acme/sho", "ACME/shop", "acme/shopx"]);
        check("a.c?", &["a.c?"], &["abc?", "a.cx"]);
        check("[ab]*", &["[ab]c"], &["ac"]);
        assert_eq!(Pattern::new("a.c/*").unwrap().expression(), "a\\.c\\/[^/]*");
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        let of = |it: &str| Pattern::new(it).unwrap_err().to_string();
        assert!(
            of("").contains("**") && of(" a").contains("space") && of("a\nb").contains("control")
        );
        assert!(of(&"a".repeat(201)).contains("200 bytes"));
    }

    #[test]
    fn many_stars_take_no_long_time() {
        let pattern = Pattern::new(&"*a".repeat(100)).unwrap();
        assert!(!pattern.matches(&"a".repeat(99)) && pattern.matches(&"a".repeat(500)));
    }
}
