//! Lists of numbers, stored one after the other.

/// Lists of numbers, concatenated, by number of the list.
#[derive(Default)]
pub(crate) struct NumberLists {
    numbers: Vec<u32>,
    /// End of each list.
    ends: Vec<u32>,
}

impl NumberLists {
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    /// Adds a number to the open list.
    pub(crate) fn push(&mut self, number: u32) {
        self.numbers.push(number);
    }

    /// Numbers of the open list.
    pub(crate) fn open(&self) -> &[u32] {
        let start = self.ends.last().map_or(0, |it| *it as usize);
        &self.numbers[start..]
    }

    /// Closes the open list; the next number starts another one.
    pub(crate) fn close(&mut self) {
        self.ends.push(self.numbers.len() as u32);
    }

    /// Truncates or extends to `n` closed lists; new lists are empty.
    pub(crate) fn resize(&mut self, n: usize) {
        self.ends.resize(n, self.numbers.len() as u32);
    }

    /// Number of closed lists.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A closed list.
    pub(crate) fn get(&self, list: usize) -> &[u32] {
        let start = list.checked_sub(1).map_or(0, |it| self.ends[it] as usize);
        &self.numbers[start..self.ends[list] as usize]
    }
}
