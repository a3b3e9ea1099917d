//! Compares the chunks of a directory with cAST's: number, fill, share of tiny ones, and positions of cuts.
//!
//! `quality DIRECTORY EXTENSION [EXCLUDED-FOLDER…]`. cAST here is the released algorithm (greedy windows of siblings,
//! opened nodes merged only among themselves), in sizes only.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that measures reads files"
)]

mod support;

use foreword_chunk::{Config, Parse, Symbols};
use tree_sitter::Node;

const MAX: u32 = 2000;

fn main() {
    let Some(support::Corpus { files, language, mut parser }) = support::corpus() else { return };
    let (mut ours, mut theirs, mut trees) = (Vec::new(), Vec::new(), 0);
    for text in &files {
        let parsed = Parse::new(text, Some(language));
        trees += usize::from(parsed.has_tree());
        ours.extend(
            parsed.chunks(&Symbols::default(), &Config::default()).iter().map(|it| it.size),
        );
        let tree = parser.parse(text, None).expect("there is neither a budget nor a cancellation");
        theirs.extend(cast(text, tree.root_node()));
    }
    println!("{} files, {trees} with a tree", files.len());
    report("cast", &theirs);
    report("ours", &ours);
}

fn report(name: &str, sizes: &[u32]) {
    let share = |below: u32| {
        100.0 * sizes.iter().filter(|&&it| it < below).count() as f64 / sizes.len() as f64
    };
    let total: u64 = sizes.iter().map(|&it| u64::from(it)).sum();
    println!(
        "{name}: {} chunks, {total} characters, mean {:.0}, below 10 %: {:.1} %, below 25 %: {:.1} %",
        sizes.len(),
        total as f64 / sizes.len() as f64,
        share(MAX / 10),
        share(MAX / 4),
    );
}

fn size(text: &[u8], node: Node<'_>) -> u32 {
    text[node.byte_range()].iter().filter(|it| !it.is_ascii_whitespace()).count() as u32
}

/// The sizes of cAST's windows.
fn cast(text: &[u8], root: Node<'_>) -> Vec<u32> {
    if size(text, root) <= MAX { vec![size(text, root)] } else { windows(text, root) }
}

fn windows(text: &[u8], node: Node<'_>) -> Vec<u32> {
    let (mut made, mut open) = (Vec::new(), 0);
    for child in node.children(&mut node.walk()) {
        let size = size(text, child);
        if open + size <= MAX {
            open += size;
            continue;
        }
        made.extend(std::iter::once(std::mem::replace(&mut open, 0)).filter(|&it| it > 0));
        if size > MAX {
            made.extend(merged(&windows(text, child)));
        } else {
            open = size;
        }
    }
    made.extend(Some(open).filter(|&it| it > 0));
    made
}

fn merged(windows: &[u32]) -> Vec<u32> {
    let mut made: Vec<u32> = Vec::new();
    for &size in windows {
        match made.last_mut() {
            Some(last) if *last + size <= MAX => *last += size,
            _ => made.push(size),
        }
    }
    made
}
