//! The `foreword` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    foreword::cli::main()
}
