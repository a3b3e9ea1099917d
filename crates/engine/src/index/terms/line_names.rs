//! The names on each line of a text, numbered: what is compared again and again is compared by numbers.

use rustc_hash::FxHashMap;

use super::identifiers;

/// A name seldom takes fewer bytes of code, spaces and punctuation counted.
const BYTES_A_NAME: usize = 12;

/// The names of a text by line. Names of one letter are left out.
pub(crate) struct LineNames<'t> {
    names: Vec<&'t str>,
    /// The numbers of the names of all lines, one line after the other.
    numbers: Vec<u32>,
    /// Where in `numbers` each line ends.
    ends: Vec<u32>,
}

impl<'t> LineNames<'t> {
    pub(crate) fn new(lines: impl Iterator<Item = &'t str>) -> Self {
        let mut res = Self { names: Vec::new(), numbers: Vec::new(), ends: Vec::new() };
        let mut known: FxHashMap<&'t str, u32> = FxHashMap::default();
        for line in lines {
            res.numbers.reserve(line.len() / BYTES_A_NAME);
            each_name(line, |name| {
                let number = *known.entry(name).or_insert_with(|| {
                    res.names.push(name);
                    res.names.len() as u32 - 1
                });
                res.numbers.push(number);
            });
            res.ends.push(res.numbers.len() as u32);
        }
        res
    }

    /// All names, each once, by their numbers.
    pub(crate) fn names(&self) -> &[&'t str] {
        &self.names
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of the names on a line, which is counted from 0; of a name that it has twice, twice.
    pub(crate) fn on(&self, line: usize) -> &[u32] {
        let start = line.checked_sub(1).map_or(0, |it| self.ends[it] as usize);
        &self.numbers[start..self.ends[line] as usize]
    }
}

/// The identifiers of a line, without those of one letter.
pub(crate) fn each_name<'t>(line: &'t str, mut found: impl FnMut(&'t str)) {
    identifiers(line, |start, end| {
        if end - start >= 2 {
            found(&line[start..end]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_a_number_and_each_line_its_names() {
        let names = LineNames::new("open(path)\n\nx = path + open\n".lines());
        assert_eq!(names.names(), ["open", "path"]);
        let lines: Vec<&[u32]> = (0..names.len()).map(|it| names.on(it)).collect();
        assert_eq!(lines, [&[0, 1][..], &[], &[1, 0]]);
    }
}
