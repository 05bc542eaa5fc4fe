//! `grog`: parses arguments and hands over to the library.

use std::process::ExitCode;

use clap::Parser;
use grognard::cli::{Cli, run};

fn main() -> ExitCode {
    run(Cli::parse())
}
