//! `foreword symbols NAME --cluster`: where a name is defined and used, in repositories of a cluster.

use super::{note, text};
use crate::cli::args::SymbolsArgs;
use crate::cli::config::Settings;
use crate::cli::output::{DIM, NAME};
use crate::cli::push::{OTHER_KEYS, connect, repositories};
use crate::cli::{Outcome, output};
use crate::many::symbols::{NameQuestion, NamesOutput, symbols};

pub(super) fn run(name: &str, args: &SymbolsArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let access = repositories(args.on.repository.as_deref())?;
    let cluster = connect(&args.on, settings)?;
    let question = NameQuestion { name, branch: args.on.branch.as_deref(), limit: args.limit };
    let found = symbols(&cluster, &access, &question)?;
    if !settings.quiet {
        found.notes.iter().for_each(|it| output::note(it));
    }
    match args.json {
        true => output::json(&found)?,
        false => output::text(&page(&found))?,
    };
    Ok(if found.repositories.is_empty() { Outcome::Nothing } else { Outcome::Done })
}

fn page(it: &NamesOutput<'_>) -> String {
    let mut res = String::new();
    for of in &it.repositories {
        let (repository, branch) = (output::plain(&of.repository), output::plain(&of.branch));
        res.push_str(&format!("{NAME}{repository}{NAME:#} {DIM}{branch}{DIM:#}\n"));
        for it in &of.uses_of {
            res.push_str(&note(&it.note()));
        }
        res.push_str(&text(&of.answer, 0));
    }
    if it.repositories.is_empty() {
        let name = output::plain(it.name);
        res.push_str(&format!(
            "no repository of the cluster is known to have {name}; {OTHER_KEYS}\n"
        ));
    }
    if !it.others.is_empty() {
        let others = output::plain(&it.others.join(", "));
        let more = if it.more { " and more" } else { "" };
        res.push_str(&format!("{DIM}also in {others}{more} (--repository NAME){DIM:#}\n"));
    }
    res
}
