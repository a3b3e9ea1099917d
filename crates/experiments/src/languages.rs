//! One configuration for all languages against one for each. A small grid of settings is run over all tasks; the best on
//! the development repositories is chosen, once for all languages and once for each, and both choices are evaluated on the
//! other repositories.
//!
//! The best has the highest mean of identifier and token coverage over all budgets. Languages with tasks on one
//! side only are left out and named.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use foreword_engine::preset::Preset;

use foreword_evaluate::measures::mean;
use foreword_evaluate::runs::completion::cursor::{CodeView, each, with_overlay};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::completion::{CompletionSettings, choose};
use foreword_evaluate::runs::overrides::apply;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Group, Observation, Table, empty_table, observe, series};
use foreword_evaluate::tasks::split::Split;
use foreword_evaluate::tasks::task::Task;

/// The alternatives to the settings in use.
const GRID: [(&str, [&str; 3]); 3] = [
    ("query.half_life", ["2", "4", "10"]),
    ("fuse.w1", ["0.25", "0.5", "1"]),
    ("budget.excerpt", ["20", "30", "40"]),
];

const IN_FORCE: &str = "in force";
const FOR_ALL: &str = "one for all";
const FOR_EACH: &str = "one a language";

/// The observations of one task, by setting and budget.
struct GridResult {
    language: String,
    is_dev: bool,
    by_setting: Vec<Vec<Observation>>,
}

/// Asks tasks of both splits, whatever the selection says.
pub(crate) fn languages(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let mut settings = settings.clone();
    settings.tasks.split = Split::All;
    let grid = grid(preset)?;
    let mut batch = choose(&settings)?;
    let one = |code: &CodeView<'_>, task: &Task| ask(&settings, &grid, code, task);
    let asked = batch.ask(|tasks| each(&settings, tasks, one));
    let mut table = empty_table("languages", FOR_ALL, None);
    fill(&mut table, &asked, &grid)?;
    Ok(Run::new(preset, batch, table))
}

/// The preset in use, then each of the grid, with their names.
fn grid(preset: &Preset) -> Result<Vec<(String, Preset)>> {
    let mut res = vec![(IN_FORCE.to_owned(), preset.clone())];
    let [(a, values_a), (b, values_b), (c, values_c)] = GRID;
    for x in values_a {
        for y in values_b {
            for z in values_c {
                let sets = [format!("{a}={x}"), format!("{b}={y}"), format!("{c}={z}")];
                res.push((sets.join(" "), apply(preset.clone(), &sets)?));
            }
        }
    }
    Ok(res)
}

fn ask(
    settings: &CompletionSettings,
    grid: &[(String, Preset)],
    code: &CodeView<'_>,
    task: &Task,
) -> Result<GridResult> {
    let by_setting = with_overlay(settings.protocol, code, task, |view, cursor| {
        let in_force = Retrieval::new(view, cursor, &grid[0].1);
        let hole = in_force.hole(task)?;
        let of = |(name, preset): &(String, Preset)| {
            // The window is the same for all: presets differ in the pieces beside it.
            let window = in_force.window.clone();
            let retrieval = Retrieval::new(view, cursor, preset).with_window(window);
            observe(name, &settings.budgets, |it| hole.measure(&retrieval.within(it)))
        };
        Ok(grid.iter().map(of).collect())
    })?;
    let is_dev = Split::Dev.has(&task.repo);
    Ok(GridResult { language: task.language.clone(), is_dev, by_setting })
}

/// Chooses on the development tasks, and fills the table from the others.
fn fill(table: &mut Table, asked: &[GridResult], grid: &[(String, Preset)]) -> Result<()> {
    let mut by_language: BTreeMap<&str, [Vec<&GridResult>; 2]> = BTreeMap::new();
    for it in asked {
        by_language.entry(&it.language).or_default()[usize::from(!it.is_dev)].push(it);
    }
    by_language.retain(|name, [dev, test]| {
        let takes_part = !dev.is_empty() && !test.is_empty();
        if !takes_part {
            let (dev, test) = (dev.len(), test.len());
            table.notes.push(format!("{name} takes no part: {dev} dev tasks, {test} test tasks"));
        }
        takes_part
    });
    let names: Vec<&str> = by_language.keys().copied().collect();
    ensure!(!names.is_empty(), "no language has tasks of both splits; mine some of each");
    let dev: Vec<&GridResult> = by_language.values().flat_map(|it| it[0].iter().copied()).collect();
    let for_all = best(&dev, grid.len());
    table.notes.push(format!("{FOR_ALL}: {}", describe(&dev, for_all, grid)));
    let mut all = Vec::new();
    for (name, [dev, test]) in &by_language {
        let for_each = best(dev, grid.len());
        table.notes.push(format!("{name}: {}", describe(dev, for_each, grid)));
        let rows: Vec<Vec<Observation>> =
            test.iter().map(|it| chosen(it, for_all, for_each)).collect();
        table.groups.push(group(name, &rows));
        all.extend(rows);
    }
    table.groups.insert(0, group("all", &all));
    Ok(())
}

fn group(name: &str, rows: &[Vec<Observation>]) -> Group {
    Group { name: name.to_owned(), n: rows.len(), series: series(rows, FOR_ALL) }
}

/// The best setting on these tasks; of equals the first, which is the one in use.
fn best(tasks: &[&GridResult], settings: usize) -> usize {
    let worth = |it: &usize| worth(tasks, *it);
    (0..settings).rev().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or(0)
}

fn worth(tasks: &[&GridResult], setting: usize) -> f64 {
    let values = tasks.iter().flat_map(|it| &it.by_setting[setting]);
    let values = values.flat_map(|it| [it.coverage.identifiers, it.coverage.tokens]).flatten();
    mean(&values.collect::<Vec<_>>())
}

fn describe(tasks: &[&GridResult], setting: usize, grid: &[(String, Preset)]) -> String {
    let (before, after) = (worth(tasks, 0), worth(tasks, setting));
    format!("{} ({} dev tasks, {before:.3} -> {after:.3})", grid[setting].0, tasks.len())
}

/// The observations of the settings in force and of the two that were chosen.
fn chosen(it: &GridResult, for_all: usize, for_each: usize) -> Vec<Observation> {
    let named = |name: &str, setting: usize| {
        let rows = it.by_setting[setting].clone().into_iter();
        rows.map(move |row| Observation { series: name.to_owned(), ..row }).collect::<Vec<_>>()
    };
    [named(IN_FORCE, 0), named(FOR_ALL, for_all), named(FOR_EACH, for_each)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::preset;
    use foreword_evaluate::measures::coverage::Coverage;

    /// A task with the coverage of each setting.
    fn on_dev(language: &str, worth: [f64; 2]) -> GridResult {
        GridResult { is_dev: true, ..on_test(language, worth) }
    }

    fn on_test(language: &str, worth: [f64; 2]) -> GridResult {
        let row = |it: f64| {
            let coverage = Coverage { identifiers: Some(it), ..Coverage::default() };
            vec![Observation { series: "x".into(), budget: Some(1000), coverage }]
        };
        GridResult { language: language.into(), is_dev: false, by_setting: worth.map(row).to_vec() }
    }

    fn table(tasks: &[GridResult]) -> Result<Table> {
        let preset = preset::context();
        let mut table = empty_table("languages", FOR_ALL, None);
        let grid = [(IN_FORCE.to_owned(), preset.clone()), ("x=1".to_owned(), preset)];
        fill(&mut table, tasks, &grid)?;
        Ok(table)
    }

    #[test]
    fn what_is_chosen_on_one_side_is_judged_on_the_other() {
        let tasks = [
            on_dev("go", [0.1, 0.9]),
            on_test("go", [0.6, 0.2]),
            on_dev("rust", [0.5, 0.4]),
            on_test("rust", [0.3, 0.7]),
            on_dev("lua", [0.1, 0.9]),
        ];
        let table = table(&tasks).unwrap();
        assert!(table.notes[0].contains("lua takes no part: 1 dev tasks, 0 test tasks"));
        let means = |group: usize| {
            let series = &table.groups[group].series;
            series.iter().map(|it| it.points[0].identifiers.mean).collect::<Vec<_>>()
        };
        // In force, one for all (the second setting), one a language (the second for Go, the first for Rust).
        assert_eq!((means(1), means(2)), (vec![0.6, 0.2, 0.2], vec![0.3, 0.7, 0.3]));
        assert_eq!(table.groups[0].n, 2);
    }

    #[test]
    fn without_both_sides_there_is_nothing_to_say() {
        let error = table(&[on_dev("go", [0.1, 0.9])]).unwrap_err().to_string();
        assert!(error.contains("no language has tasks of both splits"), "{error}");
    }

    #[test]
    fn the_grid_has_only_settings_that_exist() {
        assert_eq!(grid(&preset::context()).unwrap().len(), 28);
    }
}
