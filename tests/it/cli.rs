//! The program as a person or another program uses it: commands, exit statuses, pipes, and every kind of bad input.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

fn grog(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grog"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    grog(arguments).output().unwrap()
}

/// Runs with this standard input.
fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = grog(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn script(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

mod resolve {
    use super::*;

    #[test]
    fn an_outcome_reads_as_lua_or_as_json() {
        let args = ["resolve", "check.roll", r#"{"score":12,"difficulty":3}"#, "--dice", "4,4,3"];
        assert!(out(&run(&args)).starts_with("{ dice = 3, target = 12, rolls = { 4, 4, 3 }"));
        let json: Json = serde_json::from_str(&out(&run(&[&args[..], &["--json"]].concat()))).unwrap();
        assert_eq!(json["margin"], 1);
    }

    #[test]
    fn faults_are_told_and_set_the_exit_status() {
        let cases: [(&[&str], i32, &str); 7] = [
            (&["resolve", "check.rol", "{}"], 1, "the nearest is check.roll"),
            (&["resolve", "check.roll", r#"{"scor":1}"#], 1, "did you mean \"score\"?"),
            (&["resolve", "check.roll", "{score=1}"], 2, "not JSON"),
            (&["resolve", "check.roll", r#"{"score":12,"difficulty":3}"#, "--dice", "7,1,1"], 1, "a d6 cannot show 7"),
            (&["resolve", "check.roll", r#"{"score":12,"difficulty":3}"#, "--dice", "1,1"], 1, "the dice ran out"),
            (&["resolve", "check.roll", r#"{"score":12,"difficulty":3}"#, "--dice", "1,1,1,1"], 1, "take 1 away"),
            (&["resolve", "check.roll", "{}", "--dice", "one"], 2, "is no number"),
        ];
        for (arguments, code, text) in cases {
            let output = run(arguments);
            assert_eq!(status(&output), code, "{arguments:?}: {}", err(&output));
            assert!(err(&output).contains(text), "{arguments:?}: {}", err(&output));
            assert!(output.stdout.is_empty());
        }
    }

    #[test]
    fn each_line_has_its_answer_in_order_and_a_bad_one_does_not_stop() {
        let input = concat!(
            r#"{"call":"check.roll","given":{"score":12,"difficulty":3},"dice":[4,4,3]}"#,
            "\nno json\n\n",
            r#"{"call":"check.roll","given":{"score":12},"dice":[]}"#,
            "\n",
            r#"{"call":"check.combine","given":{"scores":[8,8]},"options":{"rounding":"down"}}"#,
            "\n{\"call\":\"check.roll\",\"colour\":1}\n\"\u{fe}\"",
        );
        let mut bytes = input.as_bytes().to_vec();
        bytes.extend(b"\n\xff\xfe\n");
        let output = piped(&["resolve", "--jsonl"], &bytes);
        let answers: Vec<Json> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), 7);
        assert_eq!((&answers[0]["ok"]["total"], &answers[0]["unused"]), (&Json::from(11), &Json::from(0)));
        assert_eq!(answers[1]["error"], "bad_request");
        assert_eq!((&answers[2]["error"], &answers[2]["field"]), (&Json::from("missing"), &Json::from("difficulty")));
        assert_eq!(answers[3]["ok"]["score"], 12);
        assert!(answers[4..].iter().all(|answer| answer["error"] == "bad_request"));
        assert_eq!(status(&output), 0);
    }

    #[test]
    fn the_same_seed_gives_the_same_outcome() {
        let args = ["resolve", "check.roll", r#"{"score":12,"difficulty":3}"#, "--seed", "yew"];
        assert_eq!(out(&run(&args)), out(&run(&args)));
        let number = piped(
            &["resolve", "--jsonl"],
            br#"{"call":"check.roll","given":{"score":12,"difficulty":3},"seed":42}
{"call":"check.roll","given":{"score":12,"difficulty":3},"seed":"42"}"#,
        );
        let text = out(&number);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], lines[1]);
    }
}

#[cfg(unix)]
mod pipes {
    use super::*;

    /// Every command, with input that makes it print.
    const COMMANDS: [(&[&str], &[u8]); 9] = [
        (&["rules"], b""),
        (&["rules", "--json"], b""),
        (&["roll", "3d6", "--times", "1000"], b""),
        (&["roll", "--jsonl"], b"{\"expr\":\"3d6\"}\n"),
        (&["odds", "3d6"], b""),
        (&["odds", "--jsonl"], b"{\"expr\":\"3d6\"}\n"),
        (&["resolve", "check.combine", "{\"scores\":[8,8]}"], b""),
        (&["resolve", "--jsonl"], b"{\"call\":\"check.combine\",\"given\":{\"scores\":[8,8]}}\n"),
        (&["--seed", "7"], b"3d6\nsay 'still here'\n3d6\n"),
    ];

    fn told_to(out: Stdio, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = grog(arguments).stdin(Stdio::piped()).stdout(out).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        // A command that ends early does not read all that it is given.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    #[test]
    fn every_command_ends_quietly_when_its_reader_goes_away() {
        let folder = tempfile::tempdir().unwrap();
        let say = script(folder.path(), "say.lua", "for i = 1, 100 do say(i) end\n");
        let caught = script(folder.path(), "caught.lua", "for i = 1, 9 do pcall(say, i) end\nerror('late')\n");
        let answers = script(folder.path(), "empty.answers", "");
        let plays: [&[&str]; 3] = [
            &["run", &say, "--seed", "1"],
            &["run", &caught, "--seed", "1"],
            &["run", &say, "--seed", "1", "--answers", &answers],
        ];
        for (arguments, input) in COMMANDS.into_iter().chain(plays.into_iter().map(|play| (play, &b""[..]))) {
            let output = told_to(Stdio::piped(), arguments, input);
            assert_eq!((status(&output), err(&output).as_str()), (0, ""), "{arguments:?}");
        }
    }

    #[test]
    fn a_full_disk_is_called_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let say = script(folder.path(), "say.lua", "say 'one'\n");
        let answers = script(folder.path(), "empty.answers", "");
        let plays: [&[&str]; 2] = [&["run", &say, "--seed", "1"], &["run", &say, "--seed", "1", "--answers", &answers]];
        for (arguments, input) in COMMANDS.into_iter().chain(plays.into_iter().map(|play| (play, &b""[..]))) {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let output = told_to(full.into(), arguments, input);
            assert_eq!(status(&output), 1, "{arguments:?}");
            assert!(err(&output).contains("No space left"), "{arguments:?}: {}", err(&output));
            assert!(!err(&output).contains("roken pipe"), "{arguments:?}: {}", err(&output));
        }
    }

    #[test]
    fn nobody_who_reads_errors_is_no_fault_either() {
        let mut child = grog(&["roll", "3d"]).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

mod run_script {
    use super::*;

    #[test]
    fn what_cannot_be_run_is_told_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let cases = [
            (script(at, "parse.lua", "local x = = 1\n"), "parse.lua:1"),
            (script(at, "latin.lua", b"say('caf\xe9')\n"), "UTF-8"),
            (script(at, "huge.lua", vec![b' '; 20 << 20]), "a script may be"),
            (script(at, "nil.lua", "local t = nil\nreturn t.x\n"), "nil.lua:2"),
            (script(at, "rule.lua", "rules.check.roll{ scor = 1, difficulty = 3 }\n"), "did you mean \"score\"?"),
            (script(at, "goto.lua", "goto done\n::done::\n"), "goto"),
            (at.join("missing.lua").to_str().unwrap().to_owned(), "missing.lua"),
            (at.to_str().unwrap().to_owned(), "folder"),
        ];
        for (file, text) in cases {
            let output = run(&["run", &file, "--seed", "1"]);
            assert_eq!(status(&output), 1, "{file}: {}", err(&output));
            assert!(err(&output).contains(text), "{file}: {}", err(&output));
            assert!(!err(&output).contains("panicked"));
        }
    }

    #[test]
    fn answers_that_run_out_name_the_question_and_lose_nothing_said() {
        let folder = tempfile::tempdir().unwrap();
        let file =
            script(folder.path(), "talk.lua", "say 'one'\nlocal a = ask 'Name?'\nsay(a)\nask 'And yours?'\nsay 'no'\n");
        let answers = script(folder.path(), "talk.answers", "# names\nGrond\n");
        let output = run(&["run", &file, "--answers", &answers, "--seed", "1"]);
        assert_eq!(status(&output), 1);
        assert!(out(&output).starts_with("one\n") && out(&output).contains("Grond"), "{}", out(&output));
        assert!(!out(&output).contains("\nno\n"));
        assert!(err(&output).contains("And yours?"), "{}", err(&output));
    }

    #[test]
    fn a_script_that_never_ends_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let file = script(folder.path(), "loop.lua", "while true do end\n");
        let output = run(&["run", &file, "--time-limit", "0.2"]);
        assert_eq!(status(&output), 1);
        assert!(err(&output).contains("loop.lua:1"), "{}", err(&output));
    }

    #[test]
    fn what_a_script_returns_can_be_read_as_json() {
        let folder = tempfile::tempdir().unwrap();
        let file = script(folder.path(), "sum.lua", "return { total = 1 + 2, names = { 'a', 'b' } }\n");
        let json: Json = serde_json::from_str(&out(&run(&["run", &file, "--json", "--seed", "1"]))).unwrap();
        assert_eq!(json["total"], 3);
        assert_eq!(json["names"][1], "b");
    }

    #[test]
    fn dice_can_be_typed_by_hand() {
        let folder = tempfile::tempdir().unwrap();
        let file = script(folder.path(), "dice.lua", "say(`it is {roll.d(6)}`)\n");
        let output = piped(&["run", &file, "--dice", "ask"], b"9\n5\n");
        assert!(out(&output).contains("a d6 cannot show 9") && out(&output).contains("it is 5"), "{}", out(&output));
    }
}

mod adventure {
    use super::*;

    const CRYPT: [&str; 4] = ["run", "scripts/adventures/crypt.lua", "--answers", "scripts/adventures/crypt.answers"];

    #[test]
    fn it_plays_to_its_end_the_same_way_each_time() {
        let first = run(&[&CRYPT[..], &["--seed", "8"]].concat());
        assert_eq!(status(&first), 0, "{}", err(&first));
        let second = run(&[&CRYPT[..], &["--seed", "8"]].concat());
        assert_eq!(first.stdout, second.stdout);
        let told = out(&first);
        for scene in ["Round 1", "holy water", "holy symbol", "bleeding", "binds", "Morale", "Experience"] {
            assert!(told.contains(scene), "nothing of \"{scene}\" in:\n{told}");
        }
    }
}

mod prompt {
    use super::*;

    fn answer(lines: &str) -> Output {
        piped(&["--seed", "7"], lines.as_bytes())
    }

    #[test]
    fn dice_commands_and_lua_are_told_apart() {
        let output = answer(
            "3d6+1\n1 + 1\n=1 + 1\nlocal x = 5\nname = 'Hild'\nname\nrules.check.combine{ scores = { 8, 8 } }\n",
        );
        let text = out(&output);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("3d6 ["), "{text}");
        assert_eq!(&lines[1..4], ["2", "2", "Hild"], "{text}");
        assert!(text.contains("score = 12"), "{text}");
        assert_eq!(status(&output), 0);
    }

    #[test]
    fn a_fault_is_told_and_the_prompt_goes_on() {
        let output = answer("rules.check.rol{ score = 1 }\n2 * 21\n");
        assert!(err(&output).contains("the nearest is check.roll"), "{}", err(&output));
        assert!(out(&output).contains("42"));
        assert_eq!(status(&output), 1);
    }

    #[test]
    fn an_open_block_bracket_or_text_asks_for_more() {
        let output = answer("function twice(x)\n  return 2 * x\nend\ntwice(4)\n{ 1,\n  2 }\n[[long\ntext]]\n");
        let text = out(&output);
        assert!(text.contains('8') && text.contains("{ 1, 2 }") && text.contains("long"), "{text} {}", err(&output));
    }

    #[test]
    fn why_and_help_explain() {
        let output =
            answer("rules.check.roll{ score = 12, difficulty = 3 }\nwhy\n:help check.roll\n:house\n:nonsense\n");
        let text = out(&output);
        assert!(
            text.contains("check: 3d6 show") && text.contains("under 12") && text.contains("no house rule took part"),
            "{text}"
        );
        assert!(text.contains("arguments"), "{text}");
        assert!(err(&output).contains(":nonsense"));
    }

    #[test]
    fn a_house_rule_is_named_where_it_took_part() {
        let output = answer(concat!(
            "house.wrap('check.roll', function(args, next) local r = next(args) r.success = true return r end)\n",
            "rules.check.roll{ score = 3, difficulty = 3 }.success\nwhy\n:house\n",
        ));
        let text = out(&output);
        assert!(text.contains("native ← prompt line 1"), "{text}");
        assert!(text.contains("true") && text.contains("house rule: wrapper (by prompt line 1"), "{text}");
    }

    #[test]
    fn nothing_is_colored_in_a_pipe() {
        assert!(!out(&answer("3d6\nrules.check.combine{ scores = { 8 } }\n")).contains('\x1b'));
    }
}

#[test]
fn odds_draw_pictures_of_dice_and_of_rules_that_come_to_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(status(&run(&["odds", "4d6kh3", "--against", "3d6", "--svg", &file("dice.svg")])), 0);
    assert!(fs::read_to_string(file("dice.svg")).unwrap().starts_with("<svg"));
    let damage = r#"{"damage":"1d8","kind":"melee"}"#;
    assert_eq!(
        status(&run(&["odds", "--rule", "damage.roll", damage, "--of", "damage", "--svg", &file("rule.svg")])),
        0
    );
    assert!(fs::read_to_string(file("rule.svg")).unwrap().contains("damage.roll damage"));
    let hit = run(&["odds", "--rule", "attack.roll", r#"{"ac":15}"#, "--of", "hit", "--svg", &file("hit.svg")]);
    assert!(status(&hit) == 1 && err(&hit).contains("shows whole numbers"), "{}", err(&hit));
}

#[cfg(feature = "png")]
#[test]
fn odds_draw_pictures_of_dots_where_the_machine_has_fonts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dice.png");
    let drawn = run(&["odds", "4d6kh3", "--png", &file.display().to_string()]);
    if status(&drawn) == 0 {
        assert!(fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    } else {
        assert!(err(&drawn).contains("no fonts") && err(&drawn).contains("--svg"), "{}", err(&drawn));
    }
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_without_pictures_of_dots_says_how_to_get_them() {
    let refused = run(&["odds", "4d6kh3", "--png", "dice.png"]);
    assert_eq!(status(&refused), 2);
    assert!(err(&refused).contains("--features png") && err(&refused).contains("--svg"), "{}", err(&refused));
}

mod terminals {
    use super::*;

    /// What would steer a terminal: an escape sequence, a clipboard write with a bell, a carriage return, a backspace, a
    /// control sequence in one character, and a turn of the direction of writing.
    const STEERS: &str = "a\\27[2Jb\\27]52;c;eA==\\7c\\rd\\8e\\u{9b}2Jf\\u{202e}g";

    fn is_harmless(output: &Output) {
        for text in [out(output), err(output)] {
            let steering = text.find(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}');
            assert!(steering.is_none(), "{text:?}");
        }
    }

    #[test]
    fn nothing_that_scripts_print_steers_the_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let lines = [
            format!("say('{STEERS}')"),
            format!("secret('{STEERS}')"),
            format!("say {{ name = '{STEERS}', ['{STEERS}'] = 1 }}"),
            format!("choose('{STEERS}', {{ '{STEERS}', 'two' }})"),
            format!("ask('{STEERS}')"),
            format!("return '{STEERS}'"),
            format!("return {{ '{STEERS}' }}"),
            format!("error('{STEERS}')"),
            format!("error({{ message = '{STEERS}' }})"),
            format!("local name = '{STEERS}' rules.check.roll{{ [name] = 1 }}"),
            format!("say(odds(function() return '{STEERS}' end):csv())"),
            format!("say(odds(function() return '{STEERS}' end):plot())"),
            format!("house.wrap('{STEERS}', function() end)"),
            "x = = '\u{1b}[2J\u{9b}2J'".to_owned(),
        ];
        for (number, line) in lines.iter().enumerate() {
            let file = script(folder.path(), &format!("{number}.lua"), line);
            for flags in [&[][..], &["--json"]] {
                let output = piped(&[&["run", &file, "--seed", "1"][..], flags].concat(), b"\x1b]0;owned\x07\n1\n");
                is_harmless(&output);
                assert!(!out(&output).is_empty() || !err(&output).is_empty(), "{line} printed nothing");
            }
            is_harmless(&piped(&["--seed", "1"], format!("{line}\n1\n").as_bytes()));
        }
    }

    #[test]
    fn nothing_that_commands_are_given_steers_the_terminal() {
        let steers = "\u{1b}]0;owned\u{7}\u{9b}2J";
        for arguments in [
            vec!["roll", &format!("1d6[{steers}]")],
            vec!["roll", "--json", &format!("1d6[{steers}]")],
            vec!["roll", &format!("1d6 {steers}")],
            vec!["odds", &format!("1d6[{steers}]")],
            vec!["odds", "1d6", "--against", &format!("1d8[{steers}]")],
            vec!["odds", "1d6", "--json", "--against", &format!("1d8[{steers}]")],
            vec!["resolve", steers],
            vec!["resolve", "check.roll", &format!("{{\"{steers}\":1}}")],
            vec!["rules", steers],
            vec!["rules", "--json", steers],
            vec!["run", steers],
        ] {
            is_harmless(&run(&arguments));
        }
        let request = format!("\u{feff}{{\"expr\":\"1d6[\u{9b}2J]\"}}\n{{\"expr\":\"{}\"}}\n", "\\u001b[2J\\u009b");
        let answered = piped(&["roll", "--jsonl"], request.as_bytes());
        is_harmless(&answered);
        let first: Json = serde_json::from_str(out(&answered).lines().next().unwrap()).unwrap();
        assert_eq!(first["ok"]["expression"], "1d6[\u{9b}2J]");
    }

    #[test]
    fn pictures_hold_no_control_characters() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("odds.svg").display().to_string();
        assert_eq!(status(&run(&["odds", "1d6 # \u{1b}[2J\u{9b}", "--svg", &file])), 0);
        let picture = fs::read_to_string(file).unwrap();
        assert!(!picture.contains(|c: char| c.is_control() && c != '\n'), "{picture:?}");
    }

    #[test]
    fn lines_break_where_something_is_said_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let said = script(folder.path(), "said.lua", "say('one\\ntwo')\nchoose('three\\nfour', { 'five\\nsix' })\n");
        let output = piped(&["run", &said, "--seed", "1"], b"1\n");
        assert_eq!(out(&output), "one\ntwo\n  1. five\\nsix\nthree\\nfour 1\n");
        let faked = script(folder.path(), "faked.lua", "error('lost\\nerror: of somebody else')\n");
        assert!(err(&run(&["run", &faked, "--seed", "1"])).starts_with("error: lost\\nerror: of"));
    }
}

#[test]
fn the_rules_are_searched_the_same_way_for_people_and_for_programs() {
    for words in ["", "check", "check.roll", "rules.check.roll", "house-rules CHK-01", "morale", "spell scroll"] {
        let json: Json = serde_json::from_str(&out(&run(&["rules", "--json", words]))).unwrap();
        let names: Vec<&str> = json.as_array().unwrap().iter().map(|rule| rule["name"].as_str().unwrap()).collect();
        let page = out(&run(&["rules", words]));
        assert!(!names.is_empty(), "{words}");
        assert!(names.iter().all(|name| page.contains(name)), "{words}: {names:?}\n{page}");
        if words.strip_prefix("rules.").unwrap_or(words) == names[0] {
            assert!(names.len() == 1 && page.starts_with(words.trim_start_matches("rules.")), "{words}: {page}");
        } else {
            let listed: Vec<&str> = page
                .lines()
                .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
                .filter_map(|line| line.split_whitespace().next())
                .collect();
            assert_eq!(listed, names, "{words}");
        }
    }
    for arguments in [&["rules", "xyzzy"][..], &["rules", "--json", "xyzzy"]] {
        assert!(status(&run(arguments)) == 1 && err(&run(arguments)).contains("nothing is called \"xyzzy\""));
    }
}

#[test]
fn names_in_lists_stand_clear_of_their_texts() {
    let page = out(&run(&["rules"]));
    for line in page.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let (name, text) = line.trim_start().split_once("  ").unwrap_or_else(|| panic!("{line}"));
        assert!(!name.contains(' ') && !text.trim().is_empty(), "{line}");
    }
    let switches = out(&piped(&[], b":switches\n"));
    assert!(
        switches.lines().all(|line| line.split_once("  ").is_some_and(|(name, _)| !name.contains(' '))),
        "{switches}"
    );
}

#[test]
fn a_name_in_a_list_of_odds_has_no_quotes_of_its_own() {
    let cast = r#"{"sides":[{"name":"ogre","score":19},{"name":"a \"b\", c","score":17}]}"#;
    let csv = out(&run(&["odds", "--rule", "opposed.contest", cast, "--of", "winner", "--csv"]));
    assert!(csv.contains("\nogre,") && csv.contains("\n\"a \"\"b\"\", c\","), "{csv}");
}
