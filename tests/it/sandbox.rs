//! What strangers' scripts cannot do: one test for each thing that the sandbox promises.

use std::fs;
use std::time::{Duration, Instant};

use grognard::lua::voice::{Answers, Transcript};
use grognard::lua::{Host, Limits, ScriptErrorKind};
use grognard::rules::core::Value;

fn host() -> Host {
    Host::builder().seed("sandbox").build().unwrap()
}

fn limited(limits: Limits) -> Host {
    Host::builder().limits(limits).build().unwrap()
}

/// What a script returns, or what its error says.
fn result(host: &Host, code: &str) -> String {
    host.run_text("t.lua", code).map_or_else(|error| error.message().to_owned(), |value| value.to_string())
}

#[test]
fn dangerous_globals_are_gone() {
    let host = host();
    for name in [
        "loadstring",
        "load",
        "loadfile",
        "dofile",
        "getfenv",
        "setfenv",
        "newproxy",
        "collectgarbage",
        "gcinfo",
        "os",
        "io",
        "debug",
        "package",
    ] {
        assert_eq!(result(&host, &format!("return tostring({name})")), "\"nil\"", "{name}");
    }
    for call in ["math.random(6)", "math.randomseed(1)"] {
        assert!(result(&host, call).contains("dice come from the table"), "{call}");
    }
}

#[test]
fn nothing_shared_can_be_written() {
    let host = host();
    for code in [
        "string.upper = nil",
        "table.insert = nil",
        "math.floor = nil",
        "coroutine.wrap = nil",
        "utf8.len = nil",
        "bit32.band = nil",
        "buffer.create = nil",
        "vector.create = nil",
        "getmetatable('').__index = {}",
        "getmetatable('').x = 1",
        "getmetatable(vector.zero).x = 1",
        "roll.d = nil",
        "rules.check = nil",
        "rules.check.roll = nil",
        "rules.x = 1",
        "house.set = nil",
        "_G.x = 1",
        "_G.print = nil",
        "rawset(_G, 'x', 1)",
        "rawset(rules.check, 'roll', 1)",
        "rawset(string, 'upper', 1)",
        "table.insert(rules.check, 1)",
        "table.clear(rules.check)",
        "setmetatable(rules, nil)",
        "setmetatable(_G, nil)",
        "setmetatable(string, {})",
        "getmetatable(rules).__index = nil",
        "getmetatable(roll('1d6')).x = 1",
        "require('@std/tables').pick = nil",
        "require('@std/test').expect = nil",
    ] {
        let ended = host.run_text("t.lua", code);
        assert!(ended.is_err(), "{code} was allowed");
    }
    assert_eq!(
        result(&host, "return string.upper('a') .. type(rules.check.roll) .. type(print)"),
        "\"Afunctionfunction\""
    );
}

#[test]
fn a_script_changes_its_own_globals_and_nobody_elses() {
    let host = host();
    let code = "print = function() return 'mine' end secret_plan = 1 string = nil return print()";
    assert_eq!(result(&host, code), "\"mine\"");
    assert_eq!(
        result(&host, "return { tostring(secret_plan), tostring((print())), string.upper('a') }"),
        r#"{ "nil", "nil", "A" }"#
    );
}

#[test]
fn a_fresh_machine_knows_nothing_of_another() {
    let one = host();
    one.evaluate("house.set('check.dice.min_dice', 1) x = 1").unwrap();
    let other = host();
    assert_eq!(result(&other, "return #house.changes()"), "0");
    assert_eq!(other.evaluate("x").unwrap().text, None);
}

#[test]
fn steps_stop_a_script_and_no_pcall_brings_it_back() {
    let heard = Transcript::default();
    let host = Host::builder()
        .limits(Limits::default().with_instructions(1_000_000))
        .voice(Answers::new("", heard.clone()))
        .build()
        .unwrap();
    let code = "
        local function loop() while true do end end
        pcall(loop)
        say 'after pcall'
        xpcall(loop, function() say 'in the handler' while true do end end)
        say 'after xpcall'
        coroutine.resume(coroutine.create(loop))
        say 'after resume'
        table.sort({ 1, 2, 3 }, loop)
        say 'after sort'";
    assert_eq!(host.run_text("t.lua", code).unwrap_err().kind(), ScriptErrorKind::Instructions);
    assert_eq!(heard.text(), "");
    assert_eq!(host.run_text("t.lua", "return 1").unwrap_err().kind(), ScriptErrorKind::Dead);
}

#[test]
fn the_clock_stops_a_script_that_has_steps_to_spare() {
    let host = limited(Limits::default().with_instructions(u64::MAX).with_time(Duration::from_millis(200)));
    let began = Instant::now();
    let error = host.run_text("t.lua", "while true do pcall(string.rep, 'x', 1000) end").unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::Time);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

/// Answers slowly.
struct Slow;

impl grognard::lua::voice::Voice for Slow {
    fn say(&mut self, _: &str) -> Result<(), grognard::lua::voice::VoiceError> {
        Ok(())
    }
    fn ask(&mut self, _: &str) -> Result<String, grognard::lua::voice::VoiceError> {
        std::thread::sleep(Duration::from_millis(600));
        Ok("there".into())
    }
    fn choose(&mut self, _: &str, _: &[String]) -> Result<usize, grognard::lua::voice::VoiceError> {
        Ok(0)
    }
    fn confirm(&mut self, _: &str) -> Result<bool, grognard::lua::voice::VoiceError> {
        Ok(true)
    }
}

#[test]
fn the_time_that_people_take_is_not_the_scripts() {
    let host =
        Host::builder().voice(Slow).limits(Limits::default().with_time(Duration::from_millis(300))).build().unwrap();
    assert_eq!(result(&host, "return ask 'Who is there?'"), "\"there\"");
    assert!(!host.is_dead());
}

#[test]
fn memory_is_bounded_and_catching_the_error_does_not_help() {
    for code in [
        "local t = {} while true do t[#t + 1] = table.create(1000, 1) end",
        "local t = {} while true do pcall(function() t[#t + 1] = table.create(1000, 1) end) end",
        "local s = 'x' while true do s = s .. s end",
        "local s = 'x' while true do pcall(function() s = s .. s end) end",
        "local t = {} while true do xpcall(function() t[#t + 1] = table.create(1000, 1) end, function() end) end",
        "return string.rep('x', 1e9)",
        "return buffer.create(1e9)",
    ] {
        let host = limited(Limits::default().with_megabytes(16));
        let error = host.run_text("t.lua", code).unwrap_err();
        assert_eq!(error.kind(), ScriptErrorKind::Memory, "{code}: {error}");
        assert!(host.is_dead());
    }
}

#[test]
fn long_work_of_library_functions_is_charged() {
    for work in [
        "string.find(('a'):rep(2 ^ 19), ('a'):rep(2 ^ 18) .. 'b', 1, true)",
        "string.find(('a'):rep(2 ^ 19), ('a'):rep(2 ^ 18) .. 'b')",
        "string.split(('a'):rep(2 ^ 19), ('a'):rep(2 ^ 18) .. 'b')",
        "string.rep('x', 1e7)",
        "table.insert(big, 1, 1)",
        "table.remove(big, 1)",
        "table.move(big, 1, #big, 2)",
        "table.concat(big, '')",
        "table.clone(big)",
        "table.find(big, 7)",
        "table.sort(big)",
        "string.upper(long)",
    ] {
        let host = limited(Limits::default().with_instructions(3_000_000));
        let code = format!("local big = table.create(200000, 1) local long = ('x'):rep(1e6) while true do {work} end");
        let began = Instant::now();
        let error = host.run_text("t.lua", &code).unwrap_err();
        assert_eq!(error.kind(), ScriptErrorKind::Instructions, "{work}: {error}");
        assert!(began.elapsed() < Duration::from_secs(10), "{work}: {:?}", began.elapsed());
    }
}

#[test]
fn bounded_functions_do_what_the_plain_ones_do() {
    let host = host();
    let code = "
        local list = { 3, 1, 2 }
        table.sort(list)
        table.insert(list, 1, 0)
        table.insert(list, 9)
        local taken = table.remove(list, 2)
        return {
          table.concat(list, ','), taken, table.find(list, 9), select('#', table.unpack(list)),
          string.find('a.b.c', '.', 1, true), string.find('a.b.c', 'b', -3), string.find('abc', 'x') == nil,
          select(2, string.find('hello', 'll')), string.find('abc', '', 2), string.find('abc', '', 9) == nil,
          table.concat(string.split('a,b,,c'), '|'), table.concat(string.split('abc', ''), '|'),
          table.concat(string.split('a--b--', '--'), '|'), ('ab'):rep(3), ('x'):rep(0), ('x'):rep(-1) == '',
          string.format('%s %d %q %s', 'a', 3, 'b', {}), tostring(nil) .. tostring(true) .. tostring(1.5),
          tostring({}), tostring(print), ('abc'):upper(), (string.match('key=val', '(%w+)=')),
        }";
    let wanted = concat!(
        r#"{ "0,2,3,9", 1, 4, 4, 2, 3, true, 4, 2, true, "a|b||c", "a|b|c", "a|b|", "ababab", "", true, "#,
        r#""a 3 \"b\" table", "niltrue1.5", "table", "function", "ABC", "key" }"#
    );
    assert_eq!(result(&host, code), wanted);
    assert!(
        result(&host, "table.insert(1, 2)").contains("invalid argument #1 to 'insert' (table expected, got number)")
    );
    assert!(result(&host, "string.rep({}, 2)").contains("invalid argument #1 to 'rep' (string expected, got table)"));
}

#[test]
fn nothing_shows_an_address() {
    let host = host();
    for code in [
        "return tostring({})",
        "return tostring(print)",
        "return tostring(coroutine.create(print))",
        "return string.format('%s %s', {}, print)",
        "return string.format('%*', {})",
        "return `{{}} {print}`",
        "error({ print })",
        "error(print)",
        "return {} .. ''",
    ] {
        let shown = result(&host, code);
        assert!(!shown.contains("0x"), "{code}: {shown}");
    }
}

#[test]
fn a_source_that_is_too_long_is_not_compiled() {
    let host = limited(Limits::default().with_source(1_000));
    let error = host.run_text("long.lua", &"x = 1\n".repeat(1_000)).unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::File);
    assert!(error.message().contains("long.lua is 5 KB long; a script may be 0 KB"), "{error}");
    assert!(host.evaluate(&"x".repeat(2_000)).is_err());
    assert_eq!(result(&host, "return 1"), "1");
}

#[test]
fn output_is_bounded() {
    let heard = Transcript::default();
    let host = Host::builder()
        .voice(Answers::new("", heard.clone()))
        .limits(Limits::default().with_output(1_000))
        .build()
        .unwrap();
    assert_eq!(host.run_text("t.lua", "while true do say('x') end").unwrap_err().kind(), ScriptErrorKind::Output);
    assert!(heard.text().len() <= 1_000);
}

#[test]
fn what_a_script_makes_the_host_remember_is_bounded() {
    let host = host();
    let many = "for i = 1, 1e6 do house.set('check.dice.min_dice', i % 2) end";
    assert!(result(&host, many).contains("10000 changes to the rules already"));
    let host = self::host();
    host.set_tracing(true);
    let deep = "house.wrap('check.dice', function(args, next) for _ = 1, 300 do roll('200d6') end return next(args) end) return rules.check.dice{ difficulty = 3 }.dice";
    assert_eq!(result(&host, deep), "3");
    assert!(host.last_trace().unwrap().steps.len() < 30_000);
}

#[test]
fn wrappers_upon_wrappers_end_with_an_error() {
    let host = host();
    let code = "for _ = 1, 5000 do house.wrap('check.dice', function(args, next) return next(args) end) end return rules.check.dice{ difficulty = 3 }";
    let shown = result(&host, code);
    assert!(shown.contains("deep") || shown.contains("stack overflow"), "{shown}");
    assert!(!host.is_dead());
}

#[test]
fn modules_come_from_the_scripts_folder_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    fs::create_dir_all(pack.join("parts")).unwrap();
    fs::write(folder.path().join("outside.lua"), "return 'outside'").unwrap();
    fs::write(pack.join("beside.lua"), "return { name = 'beside' }").unwrap();
    fs::write(pack.join("parts/init.lua"), "return require '../beside'").unwrap();
    fs::write(pack.join("parts/deep.lua"), "return require './parts/shown'").unwrap();
    fs::write(pack.join("parts/shown.lua"), "return 'from the top'").unwrap();
    fs::write(pack.join("nothing.lua"), "local x = 1").unwrap();
    fs::write(pack.join("broken.lua"), "\nlocal x = nil .. 1").unwrap();
    fs::write(pack.join("one.lua"), "return require './two'").unwrap();
    fs::write(pack.join("two.lua"), "return require './one'").unwrap();
    std::os::unix::fs::symlink(folder.path().join("outside.lua"), pack.join("link.lua")).unwrap();
    std::os::unix::fs::symlink(folder.path(), pack.join("way")).unwrap();
    let run = |code: &str| {
        fs::write(pack.join("main.lua"), code).unwrap();
        let host = Host::builder().root(&pack).build().unwrap();
        host.run_file(&pack.join("main.lua")).map_or_else(|error| error.to_string(), |value| value.to_string())
    };
    assert_eq!(run("return require './beside'.name"), "\"beside\"");
    assert_eq!(run("return require './beside' == require './parts'"), "true");
    assert_eq!(run("return require './parts/deep'"), "\"from the top\"");
    assert!(run("return require './absent'").contains("there is no module \"./absent\""));
    for outside in ["../outside", "./parts/../../outside", "./link", "./way/outside", "../pack/../outside"] {
        let shown = run(&format!("return require '{outside}'"));
        assert!(shown.contains("leads outside of"), "{outside}: {shown}");
    }
    let absolute = folder.path().join("outside").display().to_string();
    for named in [absolute.as_str(), "beside", "os", "@mods/x", "./\\0"] {
        let shown = run(&format!("return require '{named}'"));
        assert!(shown.starts_with("error: "), "{named}: {shown}");
    }
    assert!(
        run("return require '@std/nothing'").contains("there are @std/fight, @std/psionic, @std/tables, @std/test")
    );
    assert!(run("return require './nothing'").contains("returned nothing"));
    assert!(
        run("return require './one'").contains("in a circle: one.lua → two.lua → one.lua")
            || run("return require './one'").contains("→")
    );
    let broken = run("return require './broken'");
    assert!(broken.contains("broken.lua:2") && broken.contains("main.lua:1"), "{broken}");
}

#[test]
fn a_module_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("part.lua"), "say 'read' return {}").unwrap();
    fs::write(folder.path().join("main.lua"), "return require './part' == require './part'").unwrap();
    let heard = Transcript::default();
    let host = Host::builder().voice(Answers::new("", heard.clone())).build().unwrap();
    assert_eq!(host.run_file(&folder.path().join("main.lua")).unwrap(), Value::Bool(true));
    assert_eq!(heard.text(), "read\n");
}

#[test]
fn a_million_dice_are_too_many_for_one_roll() {
    let host = host();
    assert!(
        result(&host, "return roll('999999d6')").contains("100000")
            || result(&host, "return roll('999999d6')").contains("100,000")
    );
    let error =
        limited(Limits::default().with_instructions(100_000)).run_text("t.lua", "while true do roll.sum(1000, 6) end");
    assert_eq!(error.unwrap_err().kind(), ScriptErrorKind::Instructions);
}
