//! Every example of README.md and of the pages in `docs/` runs, and prints what it says it prints.
//!
//! A `console` block holds commands after `$ ` and their standard output; a `prompt` block holds what is typed after
//! `> ` (`… ` for lines that go on) and what the prompt answers with the seed that stands in the block's first line.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The fenced blocks of a page whose language is the one asked for.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.trim() == format!("```{language}") {
            found.push(lines.by_ref().take_while(|line| line.trim() != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    if let Ok(entries) = fs::read_dir(root().join("docs")) {
        pages.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md")),
        );
    }
    pages
}

/// Runs a command line of a page through the shell, with `grog` meaning the program just built.
fn shell(command: &str) -> String {
    let grog = env!("CARGO_BIN_EXE_grog");
    let script = format!("grog() {{ {grog} \"$@\"; }}\n{command}");
    let output = Command::new("sh").arg("-c").arg(script).current_dir(root()).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// Whether a command of a page is one that this test can run: it needs nothing but the program.
fn runs_here(command: &str) -> bool {
    command.starts_with("grog ") || command.starts_with("echo ") || command.starts_with("printf ")
}

fn same(expected: &str, found: &str, what: &str) {
    let tidy = |text: &str| text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(tidy(expected), tidy(found), "the output of: {what}");
}

#[test]
fn console_examples_print_what_they_say() {
    let mut ran = 0;
    for page in pages() {
        for block in blocks(&fs::read_to_string(&page).unwrap(), "console") {
            for example in block.split("\n$ ").map(|part| part.trim_start_matches("$ ")) {
                let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
                if runs_here(command) {
                    same(expected, &shell(command), command);
                    ran += 1;
                }
            }
        }
    }
    assert!(ran > 0, "no console example was run");
}

#[test]
fn prompt_examples_answer_what_they_say() {
    let mut ran = 0;
    for page in pages() {
        for block in blocks(&fs::read_to_string(&page).unwrap(), "prompt") {
            let (first, rest) = block.split_once('\n').unwrap();
            let seed = first.split("seed ").nth(1).and_then(|rest| rest.split(" ·").next()).unwrap();
            let typed = |line: &str| line.strip_prefix("> ").or_else(|| line.strip_prefix("… ")).map(str::to_owned);
            let input: String = rest.lines().filter_map(typed).map(|line| line + "\n").collect();
            let expected: Vec<&str> = rest.lines().filter(|line| typed(line).is_none()).collect();
            let mut grog = Command::new(env!("CARGO_BIN_EXE_grog"))
                .args(["--seed", seed])
                .current_dir(root())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::inherit())
                .spawn()
                .unwrap();
            grog.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
            let output = grog.wait_with_output().unwrap();
            same(&expected.join("\n"), &String::from_utf8(output.stdout).unwrap(), &input);
            ran += 1;
        }
    }
    assert!(ran > 0, "no prompt example was run");
}
