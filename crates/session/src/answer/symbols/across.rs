//! Uses of a name that other repositories define.
//!
//! Where SCIP indexes describe both sides, the symbol tells whose definition is meant: the indexer, the package manager, the
//! package and the name in it. Else it is the package that the file imports, and syntax.

use std::collections::BTreeSet;

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::retrieve::{self, Certainty};
use foreword_engine::scope::{imports_package, package_names};
use foreword_engine::sorting::sort_by_key;
use serde::Serialize;

use super::precise::{self, Elsewhere, Site, Source};
use super::present::PresentFacts;
use super::{Definition, Uses, shown};

/// The definitions of a name in one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Home {
    /// The repository.
    pub repository: String,
    /// The symbols of definitions that SCIP indexes have, as they are stored, sorted.
    pub symbols: Vec<String>,
    /// Symbols of other things of that name there, sorted.
    pub others: Vec<String>,
    /// Whether each definition has a symbol.
    pub is_whole: bool,
    /// Names under which others import the packages of the definitions.
    pub packages: Vec<String>,
}

/// Uses of what one other repository defines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HomeUses {
    /// The repository with the definitions.
    pub repository: String,
    /// The package, as the SCIP index names it (`npm shop`), or as files import it.
    pub package: String,
    /// How it is known: by SCIP symbols, or by the package that files import and syntax.
    pub source: Source,
    /// Number of uses, listed or not.
    pub references: usize,
}

impl HomeUses {
    /// A sentence for people.
    pub fn note(&self) -> String {
        let Self { repository, package, references, .. } = self;
        let by = match self.source {
            Source::Scip => "by SCIP symbols of",
            Source::Syntax => "by syntax and imports of",
        };
        format!("{references} uses of {repository}, {by} {package}")
    }
}

impl Home {
    /// The definitions of a name in a repository, of which there is at least one.
    pub fn of(
        repository: &str,
        (snapshot, name): (&Snapshot, &str),
        definitions: &[Definition],
    ) -> Self {
        let known = PresentFacts::new(snapshot);
        let facts = known.facts();
        let symbol = |it: &Definition| facts.symbol(it.fact?);
        let symbols: BTreeSet<&str> = definitions.iter().filter_map(symbol).collect();
        let named = known.named(name).into_iter().filter_map(|it| facts.symbol(it));
        let others: BTreeSet<&str> = named.filter(|it| !symbols.contains(it)).collect();
        let of_path = |it: &Definition| package_names(snapshot, &it.path);
        let packages: BTreeSet<String> = definitions.iter().flat_map(of_path).collect();
        Self {
            repository: repository.to_owned(),
            symbols: symbols.iter().map(|it| (*it).to_owned()).collect(),
            others: others.into_iter().map(str::to_owned).collect(),
            is_whole: definitions.iter().all(|it| symbol(it).is_some()),
            packages: packages.into_iter().collect(),
        }
    }
}

/// What all symbols of a package begin with: `scip-typescript npm shop `.
fn package_of(symbol: &str) -> Option<String> {
    Some(symbol[..=symbol.find(" . ")?].to_owned())
}

/// Which uses are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseFilter {
    /// All of the name, for a repository that does not define it.
    All,
    /// Only those by SCIP symbols, for one that defines another thing of that name.
    BySymbols,
}

/// The uses of a name that other repositories define, and whose definitions they are.
pub fn uses_across(
    snapshot: &Snapshot,
    (name, homes, filter): (&str, &[Home], UseFilter),
    keep: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Uses, Vec<HomeUses>) {
    let known = PresentFacts::new(snapshot);
    let all = |symbols: fn(&Home) -> &[String]| {
        let all = homes.iter().flat_map(symbols).filter_map(|it| known.number_of(it));
        all.collect::<BTreeSet<u32>>().into_iter().collect::<Vec<u32>>()
    };
    let elsewhere = Elsewhere {
        targets: all(|it| &it.symbols),
        others: all(|it| &it.others),
        is_whole: !homes.is_empty() && homes.iter().all(|it| it.is_whole),
        packages: homes.iter().filter_map(|it| package_of(it.symbols.first()?)).collect(),
    };
    let mut by_syntax = Vec::new();
    if filter == UseFilter::All {
        by_syntax.extend(retrieve::uses(snapshot, name, &[], keep).0.iter().map(Site::of));
    }
    let (mut sites, precision) = precise::refine_elsewhere(&known, elsewhere, keep, by_syntax);
    sort_by_key(&mut sites, |it| (it.certainty, it.file, it.name.start));
    let of_homes = homes.iter().flat_map(|it| uses_of(&known, it, &sites)).collect();
    let sure = sites.iter().filter(|it| it.certainty == Certainty::Sure).count();
    let (possible, found) = (sites.len() - sure, shown(snapshot, &sites[..limit.min(sites.len())]));
    (Uses { found, sure, possible, implementations: Vec::new(), precision }, of_homes)
}

/// The uses of one repository's definitions: by symbols, and by packages that files import.
fn uses_of(known: &PresentFacts<'_>, home: &Home, sites: &[Site]) -> Vec<HomeUses> {
    let numbers = home.symbols.iter().filter_map(|it| known.number_of(it));
    let numbers: BTreeSet<u32> = numbers.collect();
    let is_meant = |it: &&Site| {
        let here = known.of(it.file);
        let at = here.as_ref().map(|here| here.at(it.name.start)).unwrap_or_default();
        at.iter().any(|it| numbers.contains(&it.symbol))
    };
    let (precise, others): (Vec<&Site>, Vec<&Site>) =
        sites.iter().partition(|it| it.source == Source::Scip);
    let precise = precise.into_iter().filter(is_meant).count();
    let is_imported = |it: &&Site| {
        let record = known.snapshot.record(it.file);
        record.symbols.imports.iter().any(|it| imports_package(it, &home.packages))
    };
    let imported = others.into_iter().filter(is_imported).count();
    let one = |package: String, source, references| {
        let repository = home.repository.clone();
        (references > 0).then_some(HomeUses { repository, package, source, references })
    };
    let package = home.symbols.first().and_then(|it| package_of(it)).unwrap_or_default();
    // Without the indexer's name: `npm shop`.
    let package = package.split_once(' ').map(|it| it.1.trim().to_owned()).unwrap_or_default();
    let by_symbols = one(package, Source::Scip, precise);
    by_symbols.into_iter().chain(one(home.packages.join(", "), Source::Syntax, imported)).collect()
}
