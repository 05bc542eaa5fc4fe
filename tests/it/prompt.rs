//! The prompt as it is typed at: it reads dice before anything else, and outlives whatever is run at it.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A session in which these lines are typed, with the seed 7.
fn session(flags: &[&str], folder: &Path, typed: &str) -> Output {
    let mut grog = Command::new(env!("CARGO_BIN_EXE_grog"));
    grog.args(["--seed", "7"]).args(flags).current_dir(folder);
    let mut grog = grog.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = grog.stdin.take().unwrap();
    let typed = typed.to_owned();
    let typing = std::thread::spawn(move || drop(stdin.write_all(typed.as_bytes())));
    let output = grog.wait_with_output().unwrap();
    typing.join().unwrap();
    output
}

fn answers(typed: &str) -> (String, String) {
    let output = session(&[], root(), typed);
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

mod lines {
    use super::*;

    #[test]
    fn complete_dice_never_wait_for_more() {
        let (out, err) = answers("d%\n3d6\nd20 # hit the orc\nroll 2d4\n");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 4, "{out}{err}");
        for (line, dice) in lines.iter().zip(["d% [", "3d6 [", "d20 [", "2d4 ["]) {
            assert!(line.starts_with(dice), "{out}");
        }
        assert_eq!(err, "");
    }

    #[test]
    fn what_only_dice_can_begin_with_gets_the_error_of_dice_with_place_and_mend() {
        for line in ["1d20 to hit", "1d6r7", "3d6x10", "2d6 +", "8d6 fireball", "1d20+5 vs 15", "6#4d6kh3", "(3d6"] {
            let (out, err) = answers(&format!("{line}\n3d6\n"));
            assert!(out.starts_with("3d6 [") && out.lines().count() == 1, "{line}: {out}");
            let told: Vec<&str> = err.lines().collect();
            assert!(told.len() == 3 && told[1] == format!("  {line}") && told[2].contains('^'), "{line}: {err}");
        }
    }

    #[test]
    fn odds_are_told_as_they_are_asked() {
        let (out, err) = answers("odds 2d6\nodds d20+7 vs d20+3\nodds 3d6x10\n");
        assert!(out.contains("mean 7.00") && out.contains("d20+7 is greater 66.00 %, equal 4.00 %"), "{out}");
        assert!(err.starts_with("error: ") && err.contains("  3d6x10"), "{err}");
    }

    #[test]
    fn words_are_commands_or_said_to_be_unknown() {
        let (out, err) = answers("help\nhelp check.roll\nfireball\nhous\nhits = 3\nhits\nexit\n3d6\n");
        assert!(out.contains(":switches WORDS") && out.contains("arguments"), "{out}");
        assert!(out.ends_with("\n3\n"), "exit leaves: {out}");
        assert!(err.contains("nothing is called \"fireball\"") && err.contains("the nearest is house"), "{err}");
    }

    #[test]
    fn a_byte_order_mark_and_a_line_for_the_shell_are_taken() {
        let (out, err) = answers("\u{feff}#!/usr/bin/env grog\n3d6\n");
        assert!(out.starts_with("3d6 [") && err.is_empty(), "{out}{err}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("marked.lua");
        fs::write(&file, "\u{feff}#!/usr/bin/env -S grog run\nsay 'one'\nerror('two')\n").unwrap();
        let (out, err) = answers(&format!(":run {}\n", file.display()));
        assert_eq!(out, "one\n");
        assert!(err.contains("marked.lua:3"), "{err}");
    }

    #[test]
    fn a_line_of_a_million_brackets_is_refused_and_forgotten() {
        for brackets in ["(", "[", "{", "`{", "[[", "({", "((1)+", "not ", "- ", "{{1},", "f(", "function() "] {
            let many = 1_000_000 / brackets.len();
            for many in [many, 50_000, 1_000] {
                // A bracket that stays open may ask for more; what follows belongs to it until the input ends.
                let (out, err) = answers(&format!("3d6\n{}\n", brackets.repeat(many)));
                assert!(out.starts_with("3d6 ["), "{brackets}: {out}");
                assert!(err.starts_with("error: ") && err.len() < 2_000, "{many} {brackets}: {err:.300}");
            }
            let (out, _) = answers(&format!("{}\n3d6\n", brackets.repeat(many)));
            assert!(out.starts_with("3d6 ["), "{brackets}: {out}");
        }
    }
}

mod packs {
    use super::*;

    #[test]
    fn a_script_finds_the_same_root_here_as_with_grog_run() {
        // The first adventure stands two folders below the top of its pack, and asks for parts of it from there.
        let text = "\n".repeat(40);
        let (out, err) = answers(&format!(":run scripts/adventures/crypt.lua\n{text}"));
        assert!(!out.is_empty() && !err.contains("no module") && !err.contains("leads outside"), "{err}");
    }

    #[test]
    fn no_path_of_the_machine_reaches_a_script() {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("pack");
        fs::create_dir_all(pack.join("parts")).unwrap();
        fs::write(pack.join("grog.json"), "{}").unwrap();
        fs::write(pack.join("parts/part.lua"), "error('broken part')").unwrap();
        let lines = [
            "say(select(2, pcall(require, '../../outside')))",
            "say(select(2, pcall(require, './nothing')))",
            "say(select(2, pcall(require, './part')))",
            "say(select(2, pcall(error, 'here', 1)))",
            "say(select(2, pcall(function() error('here') end)))",
            "house.set('opposed.contest.ties', 'defender') say(house.changes())",
        ];
        fs::write(pack.join("parts/main.lua"), lines.join("\n")).unwrap();
        let file = pack.join("parts/main.lua").display().to_string();
        let place = folder.path().display().to_string();
        for at in [root(), folder.path(), Path::new("/")] {
            let output = session(&[], at, &format!(":run {file}\n"));
            let out = String::from_utf8(output.stdout).unwrap();
            assert!(out.contains("broken part") && !out.contains(&place), "from {}: {out}", at.display());
        }
    }

    #[test]
    fn what_a_file_returns_to_nobody_is_told() {
        let folder = tempfile::tempdir().unwrap();
        for (text, told) in [
            ("return { 1, 2 }", "returned a table and nobody asked for it"),
            ("return { act = function() end }", "returned a table: act and nobody asked for it"),
            ("return function() end", "returned a function and nobody asked for it"),
            ("return 1, 2", "returned 2 values"),
        ] {
            let file = folder.path().join("odd.lua");
            fs::write(&file, text).unwrap();
            let (out, err) = answers(&format!(":run {}\n", file.display()));
            assert!(out.is_empty() && err.contains(told), "{text}: {out}{err}");
        }
    }
}

mod machine {
    use super::*;

    #[test]
    fn a_spent_budget_costs_a_machine_and_says_what_was_lost() {
        let (out, err) = {
            let typed = concat!(
                "hp = 12\nfunction double(x) return 2 * x end\nparty_of_two = { 'Hild', 'Grond' }\n",
                "house.set('opposed.contest.ties', 'defender')\n",
                "house.wrap('check.roll', function(args, next) local r = next(args) r.margin = double(r.margin) return r end)\n",
                "while true do end\n3d6\nhp\ndouble(4)\n:house\nparty_of_two\n",
            );
            let output = session(&["--time-limit", "0.3"], root(), typed);
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        assert!(
            err.contains("a new machine is in place; kept: 2 house rules and 2 names; lost: party_of_two"),
            "{err}"
        );
        let after: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("3d6 [")).collect();
        assert_eq!(after[1..3], ["12", "8"], "{out}");
        assert!(out.contains("ties = defender (by prompt line 4)"), "{out}");
        assert!(err.contains("nothing is called \"party_of_two\""), "{err}");
    }

    #[test]
    fn the_dice_go_on_where_they_were() {
        let typed = "3d6\nwhile true do end\n3d6\n";
        let broken = session(&["--time-limit", "0.3"], root(), typed);
        let (whole, _) = answers("3d6\n3d6\n");
        assert_eq!(String::from_utf8(broken.stdout).unwrap(), whole);
    }

    #[test]
    fn a_house_rule_that_cannot_be_made_again_is_named() {
        // It needs a die, and the dice that fell for it are gone.
        let typed = concat!(
            "local ties = if roll('1d6').total > 0 then 'defender' else 'none' house.set('opposed.contest.ties', ties)\n",
            "while true do end\n:house\n",
        );
        let output = session(&["--time-limit", "0.3"], root(), typed);
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(err.contains("lost: switch opposed.contest.ties"), "{err}");
        assert!(out.contains("no house rules"), "{out}");
    }
}

mod attacks {
    use super::*;

    fn files() -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(root().join("tests/attacks")).unwrap().map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "lua"));
        files.sort();
        assert!(files.len() > 40, "only {} attacks found", files.len());
        files
    }

    /// One session that meets every attack, with `3d6` after each.
    fn survives(entry: impl Fn(&Path) -> String) {
        let mut typed = String::new();
        let files = files();
        for (number, file) in files.iter().enumerate() {
            writeln!(typed, "{}\nsay 'after attack {number}'\n3d6", entry(file)).unwrap();
        }
        let output = session(&["--time-limit", "0.5"], root(), &typed);
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(!err.contains("panicked"), "{err}");
        let lines: Vec<&str> = out.lines().collect();
        for (number, file) in files.iter().enumerate() {
            let at = lines.iter().position(|line| *line == format!("after attack {number}"));
            let answer = at.and_then(|at| lines.get(at + 1));
            assert!(answer.is_some_and(|dice| dice.starts_with("3d6 [")), "after {}: {answer:?}", file.display());
        }
    }

    #[test]
    fn the_prompt_survives_all_of_them_run_at_it() {
        survives(|file| format!(":run {}", file.display()));
    }

    #[test]
    fn the_prompt_survives_all_of_them_typed_at_it() {
        survives(|file| format!("do\n{}\nend", fs::read_to_string(file).unwrap()));
    }
}

/// Ctrl-C while the program waits for a line that does not come, and its output is a pipe.
#[cfg(unix)]
mod interrupted {
    use std::io::{BufRead, BufReader};
    use std::process::Child;
    use std::time::Duration;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::*;

    fn begin(arguments: &[&str]) -> Child {
        let mut grog = Command::new(env!("CARGO_BIN_EXE_grog"));
        grog.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Presses Ctrl-C as soon as the program has said a line and waits.
    fn press(grog: &Child, said: &mut impl BufRead) {
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        std::thread::sleep(Duration::from_millis(300));
        kill(Pid::from_raw(grog.id().cast_signed()), Signal::SIGINT).unwrap();
    }

    #[test]
    fn a_script_that_asks_is_stopped_at_its_question() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ask.lua");
        fs::write(&file, "say 'ready'\nask 'Name?'\nsay 'never'\n").unwrap();
        let mut grog = begin(&["run", file.to_str().unwrap(), "--seed", "1"]);
        // Open until the end: what ends the wait is Ctrl-C.
        let _open = grog.stdin.take();
        let mut said = BufReader::new(grog.stdout.take().unwrap());
        press(&grog, &mut said);
        let output = grog.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("stopped") && err.contains("ask.lua:2"), "{err}");
    }

    #[test]
    fn the_prompt_goes_on_after_a_question_is_broken_off() {
        let mut grog = begin(&["--seed", "1"]);
        let mut stdin = grog.stdin.take().unwrap();
        let mut said = BufReader::new(grog.stdout.take().unwrap());
        stdin.write_all(b"do say 'ready' ask 'Name?' say 'never' end\n").unwrap();
        press(&grog, &mut said);
        std::thread::sleep(Duration::from_millis(300));
        stdin.write_all(b"3d6\n").unwrap();
        drop(stdin);
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert!(line.starts_with("3d6 ["), "{line}");
        let output = grog.wait_with_output().unwrap();
        assert!(String::from_utf8(output.stderr).unwrap().contains("error: stopped"));
    }
}
