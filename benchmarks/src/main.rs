//! Side-by-side measurements of foreword. README.md beside this crate says what each program measures and how to run it.

mod arguments;
mod collection;
mod corpus;
mod cursors;
mod grammar;
mod lexical;
mod measure;
mod parse;
mod query;
mod questions;
mod random;
mod stages;
mod tantivy_index;
mod timers;
mod typing;

use std::process::ExitCode;

use arguments::Arguments;

const USAGE: &str = "\
usage: foreword-bench PROGRAM DIR [--OPTION VALUE...]

  parse DIR     bare tree-sitter parse, chunking, cold sync    --rounds 5 --threads 2 --memory 192M,150M
  lexical DIR   our BM25 beside tantivy's on the same terms    --rounds 5 --chunks 20000 --queries 200 --batch 96M
  query DIR     search, context, one edited file               --rounds 5 --queries 300 --only search
  typing DIR    a key in an open file, part by part            --files 10

all take  --wait SECONDS   before measuring, wait that long at the most for a load below 1.0 (default 0)
          --scratch DIR    where indexes are built (default: the system's temporary directory)";

fn main() -> ExitCode {
    let arguments = Arguments::new(std::env::args().skip(1));
    let result = match arguments.program.as_str() {
        "parse" => parse::run(&arguments),
        "lexical" => lexical::run(&arguments),
        "query" => query::run(&arguments),
        "typing" => typing::run(&arguments),
        "child" => parse::child(&arguments),
        _ => Err(anyhow::anyhow!("{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
