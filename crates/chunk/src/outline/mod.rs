//! Where the statements of a text begin and how deep they are, so that some lines of a file can be shown as valid code.
//!
//! Every line has a *level*, the number of blocks around it, and may *begin a statement*. A line that does not begin one
//! continues the last statement of its level: `) {`, `} else {`, `}`, the second line of a comment. So a statement
//! consists of the line that begins it, the later lines of its level, and between them the deeper lines of its blocks:
//!
//! ```text
//! 0 begins     fn main() {
//! 1 begins         if a(
//! 1                    b,
//! 1                ) {
//! 2 begins             c();
//! 1                } else {
//! 2 begins             d();
//! 1                }
//! 0            }
//! ```
//!
//! [`Outline::complete`] adds the lines without which a selection would be invalid, and [`fold()`] puts a comment in place
//! of omitted statements. A statement is shown in full, without the contents of its blocks, or not at all.

mod blocks;
mod elements;
mod fold;
mod walk;

pub(crate) use self::elements::ElementLines;
pub use self::fold::fold;
pub(crate) use self::walk::OutlineWalk;

/// Maximum level; deeper blocks count as this one.
const MAX_LEVEL: i16 = 120;

/// The level of each line of a text, and which lines begin a statement. Without lines (the default) every line counts
/// as a statement.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Twice the level, plus one if the line begins a statement.
    lines: Vec<u8>,
}

impl Outline {
    fn new(lines: &[Line]) -> Self {
        let code = |it: &Line| (it.level.clamp(0, MAX_LEVEL) as u8) << 1 | u8::from(it.begins);
        Self { lines: lines.iter().map(code).collect() }
    }

    /// Whether there is no outline.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether it can be the outline of a text with this number of lines.
    pub fn fits(&self, lines: u32) -> bool {
        self.is_empty() || self.lines.len() == lines as usize
    }

    /// Number of blocks around a line, which is counted from 0.
    pub fn level(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |it| usize::from(it >> 1))
    }

    /// Whether a line begins a statement. Blank lines and comments do.
    pub fn begins_statement(&self, line: usize) -> bool {
        self.lines.get(line).is_none_or(|it| it & 1 == 1)
    }

    /// Whether whole statements end before a line, so that an excerpt may begin or end there.
    pub fn is_boundary(&self, line: usize) -> bool {
        let closes = |it: usize| self.level(it) > self.level(line);
        self.begins_statement(line) || line.checked_sub(1).is_none_or(closes)
    }

    /// The first line of a line's statement.
    pub fn statement_start(&self, line: usize) -> usize {
        let Some(before) = self.lines.get(..=line) else { return line };
        let own = before[line] & !1;
        match before.iter().rposition(|it| *it == own + 1 || *it < own) {
            Some(at) if before[at] < own => at + 1,
            found => found.unwrap_or(0),
        }
    }

    /// The end (exclusive) of the statement that begins at a line, including its blocks.
    pub fn statement_end(&self, first: usize) -> usize {
        let own = self.code(first) & !1;
        let goes_on = |code: u8| code > own + 1 || code == own;
        let behind = self.lines.get(first + 1..).unwrap_or_default();
        let len = behind.iter().position(|it| !goes_on(*it)).unwrap_or(behind.len());
        first + 1 + len
    }

    /// The first line of the statement around the one that begins at a line; `None` at file level.
    fn parent(&self, first: usize) -> Option<usize> {
        let own = self.code(first) & !1;
        self.lines[..first].iter().rposition(|it| *it < own)
    }

    /// Adds the lines that the `wanted` ones need to be valid: for each statement with a wanted line, all lines of its
    /// own level, and likewise for the statements around it. Lines are counted from 0 and returned in ascending order.
    pub fn complete(&self, wanted: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut res: Vec<usize> = wanted.into_iter().collect();
        let mut completed = vec![false; self.lines.len()];
        for at in 0..res.len() {
            let mut next = Some(res[at]).filter(|it| *it < self.lines.len());
            while let Some(line) = next {
                let first = self.statement_start(line);
                if std::mem::replace(&mut completed[first], true) {
                    break;
                }
                res.extend(self.own_lines(first));
                next = self.parent(first);
            }
        }
        res.sort_unstable();
        res.dedup();
        res
    }

    /// The lines of the statement that begins at a line, excluding its blocks.
    fn own_lines(&self, first: usize) -> impl Iterator<Item = usize> {
        let lines = first..self.statement_end(first).min(self.lines.len());
        let level = self.code(first) >> 1;
        lines.clone().zip(&self.lines[lines]).filter(move |it| it.1 >> 1 == level).map(|it| it.0)
    }

    fn code(&self, line: usize) -> u8 {
        self.lines.get(line).copied().unwrap_or(1)
    }
}

/// A line before it is packed.
#[derive(Clone, Copy)]
struct Line {
    level: i16,
    begins: bool,
}

#[cfg(test)]
mod tests {
    use crate::language::Language;
    use crate::outline::{Outline, fold};
    use crate::parse::Parse;
    use crate::span::LineIndex;

    fn outline_of(text: &str, language: Language) -> Outline {
        Parse::new(text.as_bytes(), Some(language)).outline()
    }

    /// Expects each line after its level, with a `*` if it begins a statement.
    fn check_levels(language: Language, text: &str) {
        let plain: Vec<&str> = text.lines().map(|it| &it[3..]).collect();
        let outline = outline_of(&(plain.join("\n") + "\n"), language);
        let line = |(at, line): (usize, &&str)| {
            let begins = if outline.begins_statement(at) { '*' } else { ' ' };
            format!("{}{begins} {line}\n", outline.level(at))
        };
        let got: String = plain.iter().enumerate().map(line).collect();
        assert_eq!(got, text);
    }

    #[test]
    fn a_line_that_continues_a_statement_has_its_level() {
        check_levels(
            Language::Rust,
            "0* fn main() {\n1*     if a(\n1          b,\n1      ) {\n2*         c();\n1      } else {\n2*         d();\n1      }\n0  }\n",
        );
    }

    #[test]
    fn clauses_of_indented_blocks_are_no_statements_of_them() {
        check_levels(
            Language::Python,
            "0* @cached\n0  def f(\n0      a,\n0  ):\n1*     \"\"\"Two\n1      lines.\"\"\"\n1*     if a:\n2*         b()\n1      else:\n2*         c()\n0* d()\n",
        );
    }

    #[test]
    fn a_comment_of_several_lines_is_one_statement() {
        check_levels(
            Language::Go,
            "0* package a\n0* \n0* // One\n0  // two.\n0* type A struct {\n1*     /* three\n1      four */\n1*     b int\n0  }\n",
        );
    }

    #[test]
    fn what_ends_on_a_line_with_something_outer_belongs_to_it() {
        check_levels(
            Language::JavaScript,
            "0* f({\n1*   a: g(\n1      b),\n0  });\n0* h(function () {\n0    i(\n0      j); });\n",
        );
    }

    #[test]
    fn what_ends_in_the_middle_of_a_last_line_is_not_left_out_without_it() {
        check_levels(
            Language::Go,
            "0* var a = [][]int{\n0    {1,\n0      2}, nil}\n0* var b = []int{\n1*   1,\n0  }\n",
        );
    }

    #[test]
    fn the_code_of_a_component_is_the_block_of_its_element() {
        check_levels(
            Language::Vue,
            "0* <template>\n0*   <p>{{ a }}</p>\n0* </template>\n0* <script setup lang=\"ts\">\n1* import b from 'b'\n1* \n1* function c() {\n2*   return b(\n2      1)\n1  }\n0  </script>\n0* <style>\n1* .a {\n2*   color: red;\n1  }\n0  </style>\n0* <script>let d = 1</script>\n",
        );
        check_levels(
            Language::Astro,
            "0* ---\n1* const a = f({\n2*   b: 1,\n1  })\n0  ---\n0* <p>{a}</p>\n",
        );
        assert!(outline_of("<p>\nno code\n</p>\n", Language::Html).is_empty());
    }

    fn check_fold(language: Language, text: &str, line: usize, expect: &str) {
        let outline = outline_of(text, language);
        let shown = outline.complete([line]);
        let lines = LineIndex::new(text.as_bytes());
        assert_eq!(fold(text, &lines, Some(language), &outline, &shown), expect);
    }

    #[test]
    fn a_line_is_shown_under_complete_headers_with_gaps_marked() {
        let text = "class A {\n    /** Says\n     * things. */\n    int f(\n        int a) {\n        first();\n        second(a);\n        third(first, a, 1);\n        return a;\n    }\n    int g() { return 1; }\n    int hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh() { return 1; }\n}\n";
        let expect = "class A {\n    // ...\n    int f(\n        int a) {\n        // ...\n        third(first, a, 1);\n        return a;\n    }\n    // ...\n}\n";
        check_fold(Language::Java, text, 7, expect);
    }

    #[test]
    fn a_suite_is_never_empty() {
        let text = "def f():\n    if a:\n        first_of_two_statements()\n        second()\n    else:\n        third()\n";
        let expect = "def f():\n    if a:\n        ...\n    else:\n        third()\n";
        check_fold(Language::Python, text, 5, expect);
    }

    #[test]
    fn a_line_of_a_script_is_shown_in_its_element() {
        let text = "<template>\n  <p>{{ a }}</p>\n</template>\n<script setup>\nimport first from './first/of/all'\nimport second from './second'\nfunction c() {\n  first_of_two_statements(1)\n  return second\n}\n</script>\n";
        let expect = "<script setup>\n/* ... */\nfunction c() {\n  /* ... */\n  return second\n}\n</script>\n";
        check_fold(Language::Vue, text, 8, expect);
    }

    #[test]
    fn a_function_without_its_body_has_a_value() {
        let text = "object A {\n  def f(xs: List[Int]) = {\n    xs.foreach(_ =>\n      aFirstStatementThatIsLong(1)\n    )\n    second()\n  }\n}\n";
        let expect = "object A {\n  def f(xs: List[Int]) = {\n    xs.foreach(_ =>\n      ??? // ...\n    )\n    second()\n  }\n}\n";
        check_fold(Language::Scala, text, 2, expect);
    }

    #[test]
    fn a_value_stands_for_a_body_before_a_comment_and_behind_else() {
        let text = "object A {\n  def f(x: Int) =\n    Response(x, 1, 2)\n      .putHeaders(x, y, z, 12345)\n\n  /** Says\n    * things. */\n  def g(x: Int) =\n    if (x) first(x)\n    else\n      aSecondStatementThatIsLong(x)\n}\n";
        let expect = "object A {\n  def f(x: Int) =\n    ??? // ...\n\n  /** Says\n    * things. */\n  def g(x: Int) =\n    if (x) first(x)\n    else\n      ??? // ...\n}\n";
        let outline = outline_of(text, Language::Scala);
        let is_shown = |it: &usize| ![2, 3, 10].contains(it);
        let shown: Vec<usize> = (0..text.lines().count()).filter(is_shown).collect();
        let lines = LineIndex::new(text.as_bytes());
        assert_eq!(fold(text, &lines, Some(Language::Scala), &outline, &shown), expect);
    }
}
