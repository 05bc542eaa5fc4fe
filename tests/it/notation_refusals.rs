//! What is refused: one provoking input for each kind, and for every refusal the spellings that work.

use std::collections::BTreeSet;

use grognard::dice::{Expression, Limits, NotationError, NotationErrorKind, Params, Random, Scripted, Seed};

fn error_of(text: &str) -> NotationError {
    let mut random = Random::new(Seed::from(1));
    let answer = Expression::parse(text).and_then(|read| read.roll(&mut random, &Params::new()));
    match answer {
        Ok(roll) => panic!("`{text}` is not refused: {roll}"),
        Err(error) => error,
    }
}

#[test]
fn each_kind_has_an_input_that_provokes_it_and_a_name_of_its_own() {
    let provoking = [
        (NotationErrorKind::Syntax, "syntax", "1d6+", 3..4),
        (NotationErrorKind::Unclear, "unclear", "4d6d1", 3..5),
        (NotationErrorKind::List, "list", "1 + (2 x 1d6)", 4..13),
        (NotationErrorKind::UnknownName, "unknown_name", "1d6 + bonus", 6..11),
        (NotationErrorKind::ReservedName, "reserved_name", "max := 1; 2", 0..3),
        (NotationErrorKind::UnknownParameter, "unknown_parameter", "1d20 + $str", 7..11),
        (NotationErrorKind::Endless, "endless", "2d1!", 3..4),
        (NotationErrorKind::Limit, "limit", "1000001d6", 0..9),
        (NotationErrorKind::Overflow, "overflow", "9223372036854775807+1", 0..21),
        (NotationErrorKind::DivisionByZero, "division_by_zero", "7/0", 0..3),
        (NotationErrorKind::OutOfRange, "out_of_range", "(0-1)d6", 0..7),
    ];
    let mut seen = BTreeSet::new();
    for (kind, name, text, span) in provoking {
        let error = error_of(text);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        assert_eq!(kind.name(), name);
        assert_eq!((error.span().start as usize)..(error.span().end as usize), span, "{text}: {error}");
        seen.insert(name);
    }
    let out_of_dice = Expression::parse("2d6").unwrap().roll(&mut Scripted::new([3]), &Params::new()).unwrap_err();
    assert_eq!(out_of_dice.kind(), NotationErrorKind::Dice);
    seen.insert(out_of_dice.kind().name());
    assert_eq!(seen, NotationErrorKind::ALL.iter().map(|kind| kind.name()).collect(), "a kind has no provoking input");
}

/// Texts that are unclear, each with spellings that must be suggested; every suggestion must be read.
const UNCLEAR: &[(&str, &[&str])] = &[
    ("3d6!=6", &["3d6<>6", "3d6!==6"]),
    ("3d6!!=6", &["3d6<>6", "3d6!!==6"]),
    ("2*3d6 != 6", &["3d6<>6"]),
    ("3d6==6", &["3d6=6", "(3d6)=6"]),
    ("8d10! >=8", &["8d10!>=8", "(8d10!)>=8"]),
    ("8d10! =8", &["8d10!==8", "(8d10!)=8"]),
    ("8d10!o >=8", &["8d10!o>=8", "(8d10!o)>=8"]),
    ("8d10!p{2} <3", &["8d10!p{2}<3", "(8d10!p{2})<3"]),
    ("8d10!c>=8", &["8d10!c=10>=8", "8d10!c>=8dl0"]),
    ("8d10!co>=8", &["8d10!co=10>=8"]),
    ("5d6!c=5[fire]", &["5d6!c=6=5"]),
    ("3d6>=10", &["(3d6)>=10"]),
    ("3d6kh2>=13", &["(3d6kh2)>=13"]),
    ("4dF=2", &["(4dF)=2"]),
    ("3d6>=5+1", &["(3d6>=5)+1", "(3d6+1)>=5"]),
    ("1+3d6>=5", &["1+(3d6>=5)", "(1+3d6)>=5"]),
    ("-3d6>=5", &["-(3d6>=5)", "(-3d6)>=5"]),
    ("2*3d6>=5f=1-1", &["2*(3d6>=5f=1)-1"]),
    ("{1,2}>=2+1", &["({1,2}>=2)+1", "({1,2}+1)>=2"]),
    ("3d6>=5^2", &["(3d6>=5)^2"]),
    ("3d6>=5>=2", &["(3d6>=5)>=2"]),
    ("1 < 2 < 3", &["(1<2)< 3", "1<(2< 3)"]),
    ("1 < 3d6>=5", &["1<(3d6>=5)"]),
    ("4d6>=5kh3", &["4d6kh3>=5"]),
    ("3d6>=4min2", &["3d6min2>=4"]),
    ("3d6!r=1", &["3d6r=1!"]),
    ("3d6!!{2}rb<3", &["3d6rb<3!!{2}"]),
    ("3d6!u", &["3d6u!"]),
    ("3d6!!!", &["3d6!!"]),
    ("(4d6)kh3", &["(4d6kh3)"]),
    ("(4d6) r=1", &["(4d6r=1)"]),
    ("(4d6)!", &["(4d6!)"]),
    ("(4d6+1)kh1", &["4d6kh1+1"]),
    ("(4d6*2)kh1", &["4d6kh1*2"]),
    ("(2*4d6)kh1", &[]),
    ("(2d6+2d8)kh2", &["{d6,d6,d8,d8}kh2"]),
    ("(4d6)k3", &["(4d6kh3)"]),
    ("{4d6}kh3", &["4d6kh3"]),
    ("{4d6+3d8}kh4", &["{d6,d6,d6,d6,d8,d8,d8}kh4"]),
    ("{4d6}dl1", &["4d6dl1"]),
    ("{(4d6)}km2", &["4d6km2"]),
    ("{{2d6,1d10}}kh(1d2)", &["{2d6,1d10}kh(1d2)"]),
    ("{3d6+2}sakh1", &["3d6kh1+2"]),
    ("(4d6,)kh3", &["4d6kh3"]),
    ("5d6!!>=8", &["5d6!!==6>=8", "(5d6!!)>=8"]),
    ("5d6!>6", &["5d6!==6>6"]),
    ("5d6!p>=9", &["5d6!p=6>=9"]),
    ("5d6!{2}>=9", &["5d6!{2}=6>=9"]),
    ("5d6!==7", &["5d6!==6", "(5d6!)=7"]),
    ("5d6!c>6", &["(5d6!c)>6"]),
    ("5d6r>6", &["5d6r>=6"]),
    ("2d[2,4]ro<2", &["2d[2,4]ro<=2"]),
    ("4dFrb=2", &["4dFrb=1"]),
    ("5d10>=8f=0", &["5d10>=8f=1"]),
    ("5d10>=8ss>10", &["5d10>=8ss>=10"]),
    ("4d6d1", &["4d6dl1", "4d6dh1", "4d6d=1", "(4d6)d1"]),
    ("2d6d6", &["2d6dl6", "(2d6)d6"]),
    ("4d6k3", &["4d6kh3", "4d6k=3"]),
    ("{1d6,1d8}k1", &["{1d6,1d8}kh1", "{1d6,1d8}k=1"]),
    ("4d6k", &["4d6kh1"]),
    ("4d6p1", &["4d6d=1", "4d6!p"]),
    ("4d6pl1", &["4d6dl1"]),
    ("4d6p<3", &["4d6d<3"]),
    ("4d6r", &["4d6r=1", "4d6ro=1"]),
    ("1d6r7", &["1d6r=6", "1d6ro=6"]),
    ("4d6e6", &["4d6!==6", "4d6!>=6"]),
    ("1d6ra6", &["1d6!o=6", "1d6r=6"]),
    ("4d6rol1", &["4d6ro=1"]),
    ("20d6mt", &["20d6sa"]),
    ("5kh1", &[]),
    ("6#4d6kh3", &["6 x 4d6kh3"]),
    ("6 # d20+5", &["6 x d20+5"]),
];

#[test]
fn what_is_unclear_is_refused_with_the_spellings_that_are_clear() {
    for (text, wanted) in UNCLEAR {
        let error = error_of(text);
        assert_eq!(error.kind(), NotationErrorKind::Unclear, "{text}: {error}");
        let suggested: Vec<&str> = error.suggestions().iter().map(|suggestion| suggestion.text.as_str()).collect();
        assert!(!suggested.is_empty(), "{text}: {error}");
        for wanted in *wanted {
            assert!(suggested.contains(wanted), "{text} suggests {suggested:?}, not {wanted}");
            Expression::parse(wanted).unwrap_or_else(|error| panic!("{text} suggests {wanted}: {error}"));
        }
    }
}

#[test]
fn other_refusals_suggest_what_works_too() {
    let cases = [
        ("1 + (2 x 1d6)", "sum(2 x 1d6)"),
        ("1d20 please", "1d20 # please"),
        ("1d8 fire", "1d8 # fire"),
        ("1d8 force", "1d8 # force"),
        ("1d8 radiant", "1d8 # radiant"),
        ("1d8 damage", "1d8 # damage"),
        ("1d20 stealth", "1d20 # stealth"),
        ("1d20 save vs fire", "1d20 # save vs fire"),
        ("1d20+5 vs 15", "1d20+5 # vs 15"),
        ("1d20+5 vs 15", "(1d20+5)>=15"),
        ("1d8 \"fire\"", "1d8 # fire"),
        ("1d8 “fire”", "1d8 # fire"),
        ("1d8 épée", "1d8 # épée"),
        ("1d20: initiative", "1d20 # initiative"),
        ("1d8 fire + 3", "1d8[fire] + 3"),
        ("(1d8 fire) + 3", "(1d8[fire]) + 3"),
        ("max(1d8 cold, 1d6)", "max(1d8[cold], 1d6)"),
        ("1d20 + strength", "1d20 # strength"),
        ("3d6 // fire", "3d6 # fire"),
        ("(4d6) keen", "(4d6) # keen"),
        ("5 keen eyes", "5 # keen eyes"),
        ("3d6 xenon", "3d6 # xenon"),
        ("1d00", "1d%"),
        ("d00", "d%"),
        ("0.5*1d20", "1d20*0.5"),
        ("4d6kh 3", "4d6kh3"),
        ("3 d 6", "3d6"),
        ("2d[5..1]", "1..5"),
        ("3d6>=$x", ">=($x)"),
        ("2d6 x 3", "(2d6) x 3"),
        ("3d6x10", "10 x 3d6"),
        ("a := 1d6", "a := 1d6; a"),
        ("3d6f=1", "3d6>=6f=1"),
        ("maxx(1,2)", "max(…)"),
        ("strength := 1; strenght", "strength"),
        ("1d6!>=1", "!o"),
        ("1d6r<7", "ro<7"),
        ("7d6u", "6d6u"),
    ];
    for (text, wanted) in cases {
        let error = error_of(text);
        let suggested: Vec<&str> = error.suggestions().iter().map(|suggestion| suggestion.text.as_str()).collect();
        assert!(suggested.contains(&wanted), "{text} suggests {suggested:?}, not {wanted}");
    }
}

#[test]
fn the_error_shows_its_place_below_the_expression() {
    let text = "1d6 − 4d6d1";
    assert_eq!(
        error_of(text).pretty(text).lines().take(2).collect::<Vec<_>>(),
        ["1d6 − 4d6d1", "         ^^"],
        "columns are characters, not bytes"
    );
    assert_eq!(error_of("7/0").to_string(), "division by zero; write `max(1, …)`, which never is 0");
}

#[test]
fn what_never_ends_is_refused_whether_it_is_written_or_computed() {
    for text in ["d1!", "d1!p", "d1!!", "2d[3,3]!", "1d6!>=1", "4dFr>=-1", "1d6r<>9", "7d6u", "3d[1,1,2]u"] {
        let error = Expression::parse(text).unwrap_err();
        assert_eq!(error.kind(), NotationErrorKind::Endless, "{text}: {error}");
    }
    for text in ["d(1)!", "1d6!>=(1)", "1d(6)r<7", "1d6r<(7)", "(7)d6u", "7d(6)u"] {
        let mut source = Scripted::new([]);
        let error = Expression::parse(text).unwrap().roll(&mut source, &Params::new()).unwrap_err();
        assert_eq!(error.kind(), NotationErrorKind::Endless, "{text} is refused before a die falls: {error}");
    }
    for text in ["d1!o", "d1!{3}", "1d6ro<7", "1d6max0r>0", "6d6u", "2d6kh1u"] {
        Expression::parse(text).unwrap_or_else(|error| panic!("{text} ends: {error}"));
    }
}

#[test]
fn limits_hold_before_a_die_falls_and_may_be_lowered() {
    let few = Limits { draws: 10, added: 3, nesting: 4, length: 30, faces: 5, members: 3 };
    for text in [
        "11d6",
        "6d6+6d6",
        "2 x 6d6",
        "6d6ro<7",
        "4d6!{2}>=1",
        "{6d6,6d6}kh1",
        "4 x 1",
        "((((((1))))))",
        "d[1..6]",
        "d[1..5,1]",
        "if(1,11d6,12d6)",
        "1d6                             ",
    ] {
        let error = Expression::parse_with(text, &few).expect_err(text);
        assert_eq!(error.kind(), NotationErrorKind::Limit, "{text}: {error}");
    }
    let roll = |text: &str, dice: &[i64]| {
        let mut source = Scripted::new(dice);
        let answer = Expression::parse_with(text, &few).unwrap().roll(&mut source, &Params::new());
        (answer.map(|roll| roll.total()).map_err(|error| error.kind()), source.unused())
    };
    assert_eq!(roll("(11)d6", &[]), (Err(NotationErrorKind::Limit), 0));
    assert_eq!(roll("1d6!", &[6, 6, 6, 1]), (Ok(19), 0), "three added dice are allowed");
    assert_eq!(roll("1d6!", &[6, 6, 6, 6, 6]), (Err(NotationErrorKind::Limit), 1), "the fourth is never drawn");
    assert_eq!(roll("(4) x 1d6", &[1]), (Err(NotationErrorKind::Limit), 1));
}

#[test]
fn a_host_gives_each_roll_its_share() {
    let pool = Expression::parse("100d6").unwrap();
    let mut source = Scripted::new([]);
    let error = pool.total_within(&mut source, &Params::new(), 99).unwrap_err();
    assert_eq!(error.kind(), NotationErrorKind::Limit);
    let error = pool.roll_within(&mut source, &Params::new(), 99).unwrap_err();
    assert_eq!(error.kind(), NotationErrorKind::Limit);
    let mut random = Random::new(Seed::from(1));
    assert!(pool.total_within(&mut random, &Params::new(), 100).is_ok());
    let exploding = Expression::parse("10d6!>=2").unwrap();
    let error = exploding.total_within(&mut random, &Params::new(), 12).unwrap_err();
    assert_eq!(error.kind(), NotationErrorKind::Limit);
}

#[test]
fn deep_and_long_texts_are_errors_and_never_overflow_the_stack() {
    let texts = [
        "(".repeat(100_000),
        "(".repeat(4_000),
        "-".repeat(4_000) + "1",
        "abs(".repeat(1_000) + "1" + &")".repeat(96),
        "{".repeat(4_000),
        "2^".repeat(2_000) + "1",
        "d(".repeat(2_000),
        "1d6kh(".repeat(600),
        "2x(".repeat(1_300),
    ];
    let boundless = Limits { length: 1_000_000, nesting: u32::MAX, ..Limits::DEFAULT };
    for text in texts {
        for limits in [Limits::DEFAULT, boundless] {
            let error = Expression::parse_with(&text, &limits).unwrap_err();
            assert_eq!(error.kind(), NotationErrorKind::Limit, "{text:.20}: {error}");
        }
    }
}

#[test]
fn the_deepest_text_allowed_is_rolled_on_a_small_stack() {
    let text = "(".repeat(127) + "1d6" + &")".repeat(127);
    let deep = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let expression = Expression::parse(&text).unwrap();
        let roll = expression.roll(&mut Scripted::new([4]), &Params::new()).unwrap();
        assert_eq!(expression.to_string(), text);
        assert_eq!(expression.bounds(&Params::new()).unwrap().greatest, Some(6));
        assert!(roll.plain().ends_with("= 4"));
        assert_eq!(roll.json()["total"], 4);
        roll.total()
    });
    assert_eq!(deep.unwrap().join().unwrap(), 4);
}

#[test]
fn work_without_dice_is_bounded_too() {
    let few = Limits { draws: 20_000, ..Limits::DEFAULT };
    for text in ["sum(9999 x sum(9999 x sum(9999 x 1)))", "sum(9999 x sum(9999 x 0d6kh1))"] {
        let expression = Expression::parse_with(text, &few).unwrap();
        let error = expression.roll(&mut Scripted::new([]), &Params::new()).unwrap_err();
        assert_eq!(error.kind(), NotationErrorKind::Limit, "{text}: {error}");
    }
    let drops = "20000d1".to_owned() + &"k>0".repeat(1_000);
    let mut random = Random::new(Seed::from(1));
    let error = Expression::parse_with(&drops, &few).unwrap().total(&mut random, &Params::new()).unwrap_err();
    assert_eq!(error.kind(), NotationErrorKind::Limit);
}

#[test]
fn a_line_that_looks_like_dice_is_told_from_words_and_lua() {
    for line in
        ["3d6", "d20+5", "6 x 4d6kh3", "4d6d1", "a := 1d6; a - a", "{2d6,1d10}kh1", "1d20 # attack", "(3d6)>=10"]
    {
        assert!(Expression::looks_like_dice(line), "{line}");
    }
    for line in [
        "",
        "help",
        "2+2",
        "-5",
        "{ 1, 2 }",
        "a != d20x",
        "attack 3",
        "x = 5",
        "local a = 3",
        "5",
        "$str",
        "print(3)",
        "# note",
        "save file",
        "for i=1,3 do",
    ] {
        assert!(!Expression::looks_like_dice(line), "{line}");
    }
}
