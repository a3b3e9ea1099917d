//! Writes the bundled vocabularies as compressed lists of tokens: 2 MB. The tables of the crate that they come from
//! have 71 MB.
#![allow(clippy::unwrap_used, reason = "a build that fails says where")]

use std::path::Path;

use bpe_openai::Tokenizer;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var_os("OUT_DIR").unwrap();
    let vocabularies = [
        ("qwen2", bpe_openai::voyage3_base()),
        ("cl100k", bpe_openai::cl100k_base()),
        ("o200k", bpe_openai::o200k_base()),
    ];
    for (name, tokenizer) in vocabularies {
        let packed = zstd::bulk::compress(&token_list(tokenizer), 19).unwrap();
        std::fs::write(Path::new(&out).join(name), packed).unwrap();
    }
}

/// The number of tokens, the length of each, and their bytes, in the order of their ranks.
fn token_list(tokenizer: &Tokenizer) -> Vec<u8> {
    let tokens = 0..tokenizer.bpe.num_tokens() as u32;
    let mut list = tokens.end.to_le_bytes().to_vec();
    list.extend(tokens.clone().map(|it| u8::try_from(tokenizer.bpe.token_len(it)).unwrap()));
    tokens.for_each(|it| list.extend_from_slice(tokenizer.bpe.token_bytes(it)));
    list
}
