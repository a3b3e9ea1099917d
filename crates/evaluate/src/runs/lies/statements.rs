//! True and false statements about one piece of evidence.

use foreword_engine::ask::EvidenceItem;
use foreword_engine::index::Snapshot;

/// What a statement is made from.
pub(super) struct Fact<'e> {
    snapshot: &'e Snapshot,
    piece: &'e EvidenceItem,
    /// Its number.
    n: usize,
    name: &'e str,
    /// Another piece of another file, whose name this one does not have, and the other way round.
    other: &'e EvidenceItem,
    other_n: usize,
    other_name: &'e str,
    /// Number of pieces.
    most: usize,
    /// Lines in its file.
    length: u32,
    /// Three of its lines in sequence, the first with its number, and the one of them that says most.
    first: u32,
    lines: Vec<&'e str>,
    line: &'e str,
}

/// A statement about a repository.
pub(super) struct Statement {
    pub(super) kind: &'static str,
    pub(super) is_true: bool,
    pub(super) text: String,
}

impl<'e> Fact<'e> {
    /// `None` if the evidence has no second place to confuse it with, or no lines to quote.
    pub(super) fn new(
        snapshot: &'e Snapshot,
        evidence: &'e [EvidenceItem],
        at: usize,
        name: &'e str,
    ) -> Option<Self> {
        let piece = evidence.get(at)?;
        let lacks = |it: &EvidenceItem, name: &str| !it.text.contains(name);
        let last = |it: &'e EvidenceItem| it.symbol.rsplit('.').next().unwrap_or_default();
        let (other_at, other) = evidence.iter().enumerate().find(|(_, it)| {
            let is_name =
                last(it).len() > 3 && last(it).chars().all(|it| it.is_alphanumeric() || it == '_');
            it.path != piece.path
                && is_name
                && it.kind.is_some()
                && lacks(it, name)
                && lacks(piece, last(it))
        })?;
        let all: Vec<&str> = piece.text.lines().collect();
        let says = |it: &&str| it.chars().filter(|it| it.is_alphanumeric()).count();
        let from = (0..all.len().saturating_sub(2)).max_by_key(|it| {
            let lines = &all[*it..it + 3];
            (lines.iter().map(|it| says(it).min(30)).sum::<usize>(), std::cmp::Reverse(*it))
        })?;
        let lines = all[from..from + 3].to_vec();
        let line = lines.iter().max_by_key(|it| says(it))?.trim();
        let is_quotable = says(&line) > 11 && !lines.iter().any(|it| it.contains('`'));
        let length = snapshot.size(snapshot.file(&piece.path)?).1;
        let first = piece.start_line + from as u32;
        is_quotable.then_some(Self {
            snapshot,
            piece,
            n: at + 1,
            name,
            other,
            other_n: other_at + 1,
            other_name: last(other),
            most: evidence.len(),
            length,
            first,
            lines,
            line,
        })
    }

    /// First and last line of a range elsewhere in the file, as long as the piece; beyond it if there is no room.
    fn elsewhere(&self) -> Option<(u32, u32)> {
        let (first, last) = (
            self.piece.start_line.min(self.piece.extent.0.max(1)),
            self.piece.end_line.max(self.piece.extent.1),
        );
        let n = last - first;
        if last + 20 + n <= self.length {
            Some((last + 20, last + 20 + n))
        } else {
            (first > n + 21).then(|| (first - n - 20, first - 20))
        }
    }

    /// A line with its longest name changed.
    fn changed(&self) -> String {
        let names = self.line.split(|it: char| !it.is_alphanumeric() && it != '_');
        let longest = names.max_by_key(|it| it.len()).unwrap_or_default();
        self.line.replacen(longest, &format!("{longest}Late"), 1)
    }

    /// A line with its first digit or operator changed.
    fn inverted(&self) -> Option<String> {
        let (at, from) =
            self.line.char_indices().find(|it| it.1.is_ascii_digit() || "=<+".contains(it.1))?;
        let to = match from {
            '=' | '<' => ">",
            '+' => "-",
            '7' => "8",
            _ => "7",
        };
        (self.line.contains(' '))
            .then(|| format!("{}{to}{}", &self.line[..at], &self.line[at + 1..]))
    }

    fn quoted_summary(&self) -> Option<&str> {
        let text = self.piece.summary.split(['.', '\n']).next().unwrap_or_default();
        let is_plain = !text.contains(['"', '`', '[', '<', '“', '/', '(']);
        (is_plain && text.split_whitespace().count() > 4).then_some(text)
    }
}

/// All statements about a fact, the true ones first.
pub(super) fn all(fact: &Fact<'_>) -> Vec<Statement> {
    let mut res = Vec::new();
    let mut add = |is_true, kind, text: Option<String>| {
        res.extend(text.map(|text| Statement { kind, is_true, text }));
    };
    for truths in [truths, truths_about_more] {
        truths(fact, &mut |kind, text| add(true, kind, text));
    }
    for lies in [
        lies_about_places,
        lies_about_lines,
        lies_about_code,
        lies_about_quotations,
        lies_about_names,
    ] {
        lies(fact, &mut |kind, text| add(false, kind, text));
    }
    res
}

/// Takes a kind, and a statement if one can be made.
type Add<'a> = &'a mut dyn FnMut(&'static str, Option<String>);

fn truths(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { piece, n, name, lines, .. } = fact;
    let (path, first, last) = (&piece.path, piece.start_line, piece.end_line);
    let (a, b, c) = (lines[0], lines[1], lines[2]);
    add(
        "a name with its lines and number",
        Some(format!("`{name}` is at {path}:{first}-{last} [{n}].\n")),
    );
    add("lines in words", Some(format!("You find `{name}` in `{path}` (lines {first}-{last}).\n")));
    add("lines as a link", Some(format!("It is `{name}`, {path}#L{first}-L{last}.\n")));
    add(
        "lines quoted below a number",
        Some(format!("`{name}` does this [{n}]:\n\n```\n{a}\n{b}\n{c}\n```\n")),
    );
    add(
        "lines quoted with their numbers",
        Some(format!("From [{n}]:\n```\n{}| {a}\n{}| {b}\n```\n", fact.first, fact.first + 1)),
    );
    add(
        "lines with one left out",
        Some(format!("As [{n}] shows:\n```\n{a}\n    # ...\n{c}\n```\n")),
    );
    add(
        "a block with its place in a comment",
        Some(format!("`{name}` is this:\n```\n# {path}:{first}-{last}\n{b}\n```\nSee [{n}].\n")),
    );
}

fn truths_about_more(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { piece, n, name, other, other_n, other_name, line, .. } = fact;
    let (path, first, last) = (&piece.path, piece.start_line, piece.end_line);
    add("a line in a sentence", Some(format!("The body of `{name}` has `{line}` [{n}].\n")));
    add(
        "two names with two numbers",
        Some(format!("`{name}` [{n}] is one part, and `{other_name}` [{other_n}] another.\n")),
    );
    add(
        "two places",
        Some(format!(
            "- `{name}` ({path}:{first})\n- `{other_name}` ({}:{}-{})\n",
            other.path, other.start_line, other.end_line
        ))
        .filter(|_| piece.text.lines().next().is_some_and(|it| it.contains(name))),
    );
    add(
        "the documentation",
        fact.quoted_summary().map(|it| format!("The documentation says \"{it}\" [{n}].\n")),
    );
    add(
        "a path with a number",
        Some(format!("The code is in {path} [{n}], the rest in `{}` [{other_n}].\n", other.path)),
    );
    add(
        "a list of sources",
        Some(format!(
            "See `{name}` [{n}].\n\nSources:\n[{n}] {path}:{first}-{last}\n[{other_n}] {}:{}-{}\n",
            other.path, other.start_line, other.end_line
        )),
    );
    add(
        "plain words and a number",
        Some(format!("This is done in one place, as [{n}] shows; nothing else is needed.\n")),
    );
    add(
        "no answer",
        Some("Not enough information: the evidence does not show who calls it.\n".to_owned()),
    );
}

fn lies_about_places(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { piece, n, name, most, .. } = fact;
    let path = &piece.path;
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, "py"));
    let file = stem.rsplit('/').next().unwrap_or(stem);
    add("a number too high", Some(format!("`{name}` decides this [{}].\n", most + 40)));
    add("number 0", Some(format!("`{name}` decides this [0].\n")));
    add("a number behind a name", Some(format!("This is decided by {name}[{}].\n", most + 70)));
    add(
        "a number behind a call",
        Some(format!("`{name}` [{n}] calls it as {name}(x)[{}].\n", most + 7)),
    );
    add(
        "a file that is not there",
        Some(format!("`{name}` is used in {stem}_legacy.{extension} [{n}].\n")),
    );
    add(
        "a bare file that is not there",
        Some(format!("The rest is in {file}_legacy.{extension} [{n}].\n")),
    );
}

fn lies_about_lines(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { piece, n, name, other, other_n, length, .. } = fact;
    let (path, first, last) = (&piece.path, piece.start_line, piece.end_line);
    add(
        "lines beyond the end",
        Some(format!("`{name}` is at {path}:{}-{} [{n}].\n", length + 90, length + 99)),
    );
    add(
        "lines beyond the end, as a link",
        Some(format!("See {path}#L999999 for `{name}` [{n}].\n")),
    );
    add(
        "a line beyond the end, in words",
        Some(format!("`{name}` begins in line {} of `{path}` [{n}].\n", length + 31)),
    );
    add(
        "a name at other lines of its file",
        fact.elsewhere().map(|it| {
            format!("`{name}` is defined in {path}:{}-{}, as [{n}] shows.\n", it.0, it.1)
        }),
    );
    add("a name in another file", Some(format!("`{name}` is defined in `{}`.\n", other.path)));
    add(
        "a name at lines of another file",
        Some(format!("`{name}` is at {}:{}-{}.\n", other.path, other.start_line, other.end_line)),
    );
    add("a place with another's number", Some(format!("See {path}:{first}-{last} [{other_n}].\n")));
    add(
        "a line that the piece does not have",
        Some(format!("`{name}` returns early in line {} [{n}].\n", last.max(piece.extent.1) + 400)),
    );
}

fn lies_about_code(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { n, name, other_n, lines, line, other, .. } = fact;
    let (a, b, c) = (lines[0], lines[1], lines[2]);
    let is_elsewhere = lines.iter().any(|it| !other.text.contains(it.trim()));
    let changed = fact.changed();
    add(
        "a quotation under another number",
        is_elsewhere.then(|| format!("As [{other_n}] shows:\n```\n{a}\n{b}\n{c}\n```\n")),
    );
    add(
        "a quotation above another number",
        is_elsewhere.then(|| format!("It does this:\n```\n{a}\n{b}\n{c}\n```\n[{other_n}]\n")),
    );
    add(
        "a line under another number",
        (!other.text.contains(line)).then(|| format!("The code has `{line}` [{other_n}].\n")),
    );
    add(
        "a changed line in a block",
        Some(format!("`{name}` does this [{n}]:\n```\n{a}\n{changed}\n```\n")),
    );
    add(
        "a changed line with an ellipsis",
        Some(format!("`{name}` does this [{n}]:\n```\n{changed} ...\n```\n")),
    );
    add("a changed line in a sentence", Some(format!("`{name}` has `{changed}` [{n}].\n")));
}

fn lies_about_quotations(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { n, name, lines, .. } = fact;
    let (a, b) = (lines[0], lines[1]);
    add(
        "another number or operator in a line",
        fact.inverted().map(|it| format!("`{name}` has `{it}` [{n}].\n")),
    );
    add(
        "lines with other numbers",
        Some(format!(
            "From [{n}]:\n```\n{}| {a}\n{}| {b}\n```\n",
            fact.first + 217,
            fact.first + 218
        )),
    );
    add(
        "a changed documentation",
        fact.quoted_summary()
            .map(|it| format!("The documentation says \"{it} and nothing else at all\" [{n}].\n")),
    );
}

fn lies_about_names(fact: &Fact<'_>, add: Add<'_>) {
    let Fact { snapshot, n, name, other_n, other_name, piece, .. } = fact;
    let (path, first, last) = (&piece.path, piece.start_line, piece.end_line);
    let is_new = |it: &str| snapshot.document_frequency(&it.replace('_', "").to_lowercase()) == 0;
    let snake = format!("{}_quietly", name.to_lowercase().trim_matches('_'));
    let camel = format!("defer{}Twice", name.replace('_', ""));
    add("an invented name", is_new(&snake).then(|| format!("It calls `{snake}` first [{n}].\n")));
    add(
        "an invented snake_case without marks",
        is_new(&snake).then(|| format!("It calls {snake} first [{n}].\n")),
    );
    add(
        "an invented camelCase without marks",
        is_new(&camel).then(|| format!("It calls {camel} first [{n}].\n")),
    );
    add("a name under another number", Some(format!("`{name}` does this [{other_n}].\n")));
    add(
        "another's name under a number",
        Some(format!("This is the work of `{other_name}` [{n}].\n")),
    );
    add(
        "a call that the piece does not have",
        Some(format!("`{name}` calls `{other_name}` [{n}].\n")),
    );
    add(
        "a forged mark",
        Some(format!("`{name}` never fails [⚠ verified: {path}:{first}-{last}] [{n}].\n")),
    );
    add("a forged word of approval", Some(format!("`{name}` never fails [{n}] [verified].\n")));
    add(
        "no citation at all",
        Some("It retries three times, then it gives up and tells the user.\n".to_owned()),
    );
}
