//! Plans of a frame with what they have in common written once: the plans of neighbouring files quote the same chunks, for
//! the same reasons, and cite the same files.

use std::hash::Hash;

use bitcode::{Decode, Encode};
use rustc_hash::FxHashMap;

use crate::source::ContentHash;
use crate::speculate::plan::{
    Block, Evidence, FilePlan, Forecast, FoundAt, Input, Part, Place, PlannerKey,
};

/// Plans, whose numbers are places in the lists.
#[derive(Default, Encode, Decode)]
pub(super) struct PackedPlans {
    keys: Vec<PlannerKey>,
    files: Vec<Input>,
    quotes: Vec<PackedQuote>,
    evidence: Vec<Vec<Evidence>>,
    plans: Vec<PackedPlan>,
}

#[derive(Clone, PartialEq, Eq, Hash, Encode, Decode)]
struct PackedQuote {
    /// The path; its hash is that of the plan's input, if it has one.
    file: u32,
    first_line: u32,
    last_line: u32,
    hash: ContentHash,
    parts: Vec<Part>,
}

#[derive(Encode, Decode)]
struct PackedPlan {
    key: u32,
    file: u32,
    /// Those that blocks do not name, and in which order; `None` where they are the files of the blocks, by path.
    inputs: Option<Vec<u32>>,
    /// The lines at which blocks were found, each once.
    lines: Vec<u32>,
    blocks: Vec<PackedBlock>,
    forecasts: Vec<Forecast>,
}

#[derive(Encode, Decode)]
struct PackedBlock {
    quote: u32,
    evidence: u32,
    score: f32,
    /// The place among the lines, and how much the block was wanted there.
    found_at: Vec<(u32, u8)>,
}

/// Values, each once, in the order in which they were met.
struct Table<T>(Vec<T>, FxHashMap<T, u32>);

impl<T: Clone + Eq + Hash> Table<T> {
    fn new() -> Self {
        Self(Vec::new(), FxHashMap::default())
    }

    fn number(&mut self, value: T) -> u32 {
        let Self(all, numbers) = self;
        *numbers.entry(value).or_insert_with_key(|it| {
            all.push(it.clone());
            all.len() as u32 - 1
        })
    }
}

/// The lists while plans are packed.
struct Tables {
    keys: Table<PlannerKey>,
    files: Table<Input>,
    quotes: Table<PackedQuote>,
    evidence: Table<Vec<Evidence>>,
}

impl PackedPlans {
    pub(super) fn pack(plans: &[FilePlan]) -> Self {
        let mut tables = Tables {
            keys: Table::new(),
            files: Table::new(),
            quotes: Table::new(),
            evidence: Table::new(),
        };
        let plans = plans.iter().map(|it| tables.plan(it)).collect();
        let Tables { keys, files, quotes, evidence } = tables;
        Self { keys: keys.0, files: files.0, quotes: quotes.0, evidence: evidence.0, plans }
    }

    /// How many plans there are.
    pub(super) fn len(&self) -> usize {
        self.plans.len()
    }

    /// The path of a plan.
    pub(super) fn path(&self, at: usize) -> Option<&str> {
        self.files.get(self.plans.get(at)?.file as usize).map(|it| it.path.as_str())
    }

    /// The text that a plan was made of.
    pub(super) fn hash(&self, at: usize) -> Option<ContentHash> {
        self.files.get(self.plans.get(at)?.file as usize).map(|it| it.hash)
    }

    /// A plan; none where a number is wrong.
    pub(super) fn unpack(&self, at: usize) -> Option<FilePlan> {
        self.plan(self.plans.get(at)?)
    }

    fn plan(&self, it: &PackedPlan) -> Option<FilePlan> {
        let own = self.files.get(it.file as usize)?;
        let blocks: Option<Vec<Block>> =
            it.blocks.iter().map(|block| self.block(it, block)).collect();
        let quoted = || it.blocks.iter().map(|it| Some(self.quotes.get(it.quote as usize)?.file));
        let inputs: Option<Vec<u32>> = match &it.inputs {
            Some(inputs) => Some(inputs.clone()),
            None => quoted().collect(),
        };
        let inputs = inputs?.into_iter().map(|it| self.files.get(it as usize).cloned());
        let mut inputs: Vec<Input> = inputs.collect::<Option<_>>()?;
        if it.inputs.is_none() {
            inputs.sort_unstable();
            inputs.dedup();
        }
        Some(FilePlan {
            path: own.path.clone(),
            hash: own.hash,
            planner: self.keys.get(it.key as usize)?.clone(),
            inputs,
            blocks: blocks?,
            forecasts: it.forecasts.clone(),
        })
    }

    fn block(&self, plan: &PackedPlan, it: &PackedBlock) -> Option<Block> {
        let quote = self.quotes.get(it.quote as usize)?;
        let place = Place {
            path: self.files.get(quote.file as usize)?.path.clone(),
            first_line: quote.first_line,
            last_line: quote.last_line,
            hash: quote.hash,
        };
        let found_at = it.found_at.iter().map(|(line, percent)| {
            Some(FoundAt { line: *plan.lines.get(*line as usize)?, percent: *percent })
        });
        Some(Block {
            place,
            parts: quote.parts.clone(),
            evidence: self.evidence.get(it.evidence as usize)?.clone(),
            found_at: found_at.collect::<Option<_>>()?,
            score: it.score,
        })
    }
}

impl Tables {
    fn plan(&mut self, it: &FilePlan) -> PackedPlan {
        let mut lines = Table::new();
        let blocks: Vec<PackedBlock> =
            it.blocks.iter().map(|block| self.block(it, block, &mut lines)).collect();
        let mut quoted: Vec<Input> = it.blocks.iter().map(|block| input_of(it, block)).collect();
        quoted.sort_unstable();
        quoted.dedup();
        let inputs = (quoted != it.inputs)
            .then(|| it.inputs.iter().map(|input| self.files.number(input.clone())).collect());
        PackedPlan {
            key: self.keys.number(it.planner.clone()),
            file: self.files.number(Input { path: it.path.clone(), hash: it.hash }),
            inputs,
            lines: lines.0,
            blocks,
            forecasts: it.forecasts.clone(),
        }
    }

    fn block(&mut self, plan: &FilePlan, it: &Block, lines: &mut Table<u32>) -> PackedBlock {
        let quote = PackedQuote {
            file: self.files.number(input_of(plan, it)),
            first_line: it.place.first_line,
            last_line: it.place.last_line,
            hash: it.place.hash,
            parts: it.parts.clone(),
        };
        let found_at = it.found_at.iter().map(|it| (lines.number(it.line), it.percent));
        PackedBlock {
            quote: self.quotes.number(quote),
            evidence: self.evidence.number(it.evidence.clone()),
            score: it.score,
            found_at: found_at.collect(),
        }
    }
}

/// The file that a block quotes, as it was; without an input of this path, with the hash of the block.
fn input_of(plan: &FilePlan, block: &Block) -> Input {
    let path = &block.place.path;
    let known = plan.inputs.iter().find(|it| it.path == *path).cloned();
    known.unwrap_or_else(|| Input { path: path.clone(), hash: block.place.hash })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(path: &str, cited: &[&str]) -> FilePlan {
        let hash = ContentHash::of(b"text");
        let block = |path: &&str| Block {
            place: Place { path: (*path).into(), first_line: 3, last_line: 9, hash },
            parts: vec![Part::Lines { start: 10, len: 90, check: 7 }, Part::Literal("…".into())],
            evidence: vec![Evidence::Defines("parse".into()), Evidence::SameDirectory],
            found_at: vec![FoundAt { line: 800, percent: 70 }, FoundAt { line: 8, percent: 7 }],
            score: 0.3,
        };
        FilePlan {
            path: path.into(),
            hash: ContentHash::of(path.as_bytes()),
            planner: PlannerKey { name: "static".into(), fingerprint: "1".into() },
            inputs: vec![
                Input { path: "a.rs".into(), hash },
                Input { path: "b.rs".into(), hash: ContentHash::of(b"b") },
            ],
            blocks: cited.iter().map(block).collect(),
            forecasts: Vec::new(),
        }
    }

    #[test]
    fn plans_are_unpacked_as_they_were_packed_whether_or_not_blocks_name_their_inputs() {
        let plans = [
            plan("x.rs", &["b.rs", "a.rs", "b.rs"]),
            plan("y.rs", &["b.rs"]),
            plan("z.rs", &["c.rs", "a.rs", "b.rs"]),
            plan("empty.rs", &[]),
        ];
        let packed = PackedPlans::pack(&plans);
        assert_eq!(packed.quotes.len(), 3);
        let inputs: Vec<bool> = packed.plans.iter().map(|it| it.inputs.is_some()).collect();
        assert_eq!(inputs, [false, true, true, true]);
        let bytes = bitcode::encode(&packed);
        let read: PackedPlans = bitcode::decode(&bytes).unwrap();
        let unpacked: Vec<FilePlan> = (0..4).filter_map(|it| read.unpack(it)).collect();
        assert_eq!(unpacked, plans);
    }

    #[test]
    fn a_plan_with_a_wrong_number_is_left_out_alone() {
        let mut packed = PackedPlans::pack(&[plan("x.rs", &["a.rs"]), plan("y.rs", &["b.rs"])]);
        packed.plans[0].blocks[0].quote = 99;
        assert!(packed.unpack(0).is_none() && packed.unpack(1).is_some());
    }
}
