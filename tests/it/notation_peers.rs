//! Other tools' spellings: those that can mean one thing only are read, the rest in a dialect by name.

use grognard::dice::notation::Dialect;
use grognard::dice::{Expression, Limits, NotationError, Params, Random, Scripted, Seed};

fn total(text: &str, dice: &[i64]) -> i64 {
    let mut source = Scripted::new(dice);
    let roll = Expression::parse(text)
        .and_then(|read| read.roll(&mut source, &Params::new()))
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(source.unused(), 0, "{text}");
    roll.total()
}

/// What is typed, the same in our spelling, dice, and what it comes to.
const READ: &[(&str, &str, &[i64], i64)] = &[
    ("3d6mi2", "3d6min2", &[1, 5, 3], 10),
    ("3d6ma5", "3d6max5", &[1, 6, 3], 9),
    ("2d6rr<3", "2d6r<3", &[1, 5, 2, 4], 9),
    ("2d6rr1", "2d6r=1", &[1, 5, 2], 7),
    ("3d6s", "3d6sa", &[5, 1, 3], 9),
    ("3d6s kh1", "3d6sakh1", &[5, 1, 3], 5),
    ("4d20cs>18cf<3", "4d20cs>18cf<3", &[20, 19, 2, 9], 50),
    ("5d10>=8cs=10", "5d10>=8cs=10", &[8, 10, 1, 2, 3], 2),
    ("4dF.2", "4dF", &[-1, 0, 1, 1], 1),
    ("2dF.1", "2d[-1,0,0,0,0,1]", &[-1, 0], -1),
    ("(3d6)==10", "(3d6)=10", &[3, 4, 3], 1),
    ("(3d6) != 10", "(3d6)<>10", &[3, 4, 3], 0),
    ("1d20+5 == 10", "1d20+5=10", &[5], 1),
    ("1 != 2", "1<>2", &[], 1),
    ("(1d6, 2d4, 3)kh2", "{1d6,2d4,3}kh2", &[6, 1, 1], 9),
    ("(1d6,2)", "{1d6,2}", &[4], 6),
    ("(1,)", "{1}", &[], 1),
    ("floor(1d20/3)", "(1d20/3)", &[20], 6),
    ("ceil(1d20/3)", "(1d20/^3)", &[20], 7),
    ("round(1d20/3)", "round(1d20/3)", &[20], 7),
    ("round(1d20/2)", "round(1d20/2)", &[5], 3),
    ("round(-1d20/2)", "round(-1d20/2)", &[5], -2),
    ("2*floor(4d10*3/4)[half]", "2*(4d10*3/4)[half]", &[1, 2, 3, 4], 14),
    ("1d20*0.20", "1d20/5", &[19], 3),
    ("1d20*.5", "1d20/2", &[7], 3),
    ("1d20*1.5", "1d20*3/2", &[7], 10),
    ("1d20*2.0", "1d20*2", &[7], 14),
    ("1d20/0.5", "1d20*2", &[7], 14),
    ("1d20/6.02", "1d20*50/301", &[19], 3),
    ("floor(4d10/3.4)", "(4d10*5/17)", &[10, 10, 10, 4], 10),
    ("ceil(1d20*0.1)", "(1d20/^10)", &[11], 2),
    ("1d20—2", "1d20-2", &[9], 7),
    ("10d6÷2", "10d6/2", &[1, 1, 1, 1, 1, 1, 1, 1, 1, 6], 7),
    ("2**3", "2^3", &[], 8),
    ("1d6!!p", "1d6!p", &[6, 3], 8),
];

#[test]
fn spellings_of_one_meaning_are_read_and_print_in_ours() {
    for (text, ours, dice, wanted) in READ {
        let read = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.to_string(), *ours, "{text}");
        assert_eq!(total(text, dice), *wanted, "{text}");
        assert_eq!(total(ours, dice), *wanted, "{ours}");
    }
}

fn plain(text: &str, dice: &[i64]) -> String {
    Expression::parse(text).unwrap().roll(&mut Scripted::new(dice), &Params::new()).unwrap().plain()
}

#[test]
fn marks_are_shown_and_a_rounding_is_said() {
    assert_eq!(plain("4d20cs>18cf<3", &[20, 19, 2, 9]), "4d20cs>18cf<3 [20 cs, 19 cs, 2 cf, 9] = 50");
    assert_eq!(plain("1d20*0.2", &[19]), "1d20 [19] / 5 (rounded down) = 3");
    assert_eq!(plain("1d20*1.5", &[7]), "1d20 [7] * 3 / 2 (rounded down) = 10");
    assert_eq!(plain("1d20*2.0", &[7]), "1d20 [7] * 2 = 14");
    assert_eq!(plain("1d20/5", &[19]), "1d20 [19] / 5 = 3");
    assert_eq!(plain("round(1d20/2)", &[5]), "round(1d20 [5] / 2) = 3");
}

#[test]
fn what_rounds_nothing_or_too_early_is_refused() {
    for text in [
        "floor(3)",
        "floor(2d6)",
        "ceil(7//2)",
        "round(1d20/2*3)",
        "floor(1d6/2+1d6/2)",
        "1d20+1.45",
        "1.5d6",
        "d6max5.5",
    ] {
        assert!(Expression::parse(text).is_err(), "{text}");
    }
}

#[test]
fn rerolls_in_a_row_act_together() {
    assert_eq!(total("1d4r=1r=4", &[1, 4, 1, 2]), 2);
    assert_eq!(total("2d4r=1r=4", &[4, 3, 1, 4, 3]), 6);
    let bounds = Expression::parse("1d6r>4r=1").unwrap().bounds(&Params::new()).unwrap();
    assert_eq!((bounds.least, bounds.greatest), (Some(2), Some(4)));
    let endless = Expression::parse("1d2r=1r=2").unwrap_err();
    assert_eq!(endless.kind().name(), "endless");
    // A cap ends each for itself, in order.
    assert_eq!(total("1d4ro=1ro=4", &[1, 4, 1]), 1);
}

/// A line in another tool's notation, and ours; or the part of the error that says why there is none.
const DIALECTS: &[(Dialect, &str, &str)] = &[
    (Dialect::Avrae, "4d6k3", "4d6k=3"),
    (Dialect::Avrae, "4d6kh3", "4d6kh3"),
    (Dialect::Avrae, "4d6k>3", "4d6k>3"),
    (Dialect::Avrae, "10d6p1", "10d6d=1"),
    (Dialect::Avrae, "10d6ph1pl1", "10d6dh1dl1"),
    (Dialect::Avrae, "1d20rr<20", "1d20r<20"),
    (Dialect::Avrae, "2d6rr1rr2", "2d6r=1r=2"),
    (Dialect::Avrae, "2d6ro<3", "2d6ro<3"),
    (Dialect::Avrae, "1d6ro1", "1d6ro=1"),
    (Dialect::Avrae, "4d6e6", "4d6!==6"),
    (Dialect::Avrae, "4d6e6kh3", "4d6!c=6kh3"),
    (Dialect::Avrae, "1d6ra6", "1d6!o=6"),
    (Dialect::Avrae, "8d6mi2", "8d6min2"),
    (Dialect::Avrae, "1d%", "1d[0,10,20,30,40,50,60,70,80,90]"),
    (Dialect::Avrae, "1d20 >= 15", "(1d20)>=15"),
    (Dialect::Avrae, "1d20 == 20", "(1d20)=20"),
    (Dialect::Avrae, "1d20+5 != 7", "(1d20+5)<>7"),
    (Dialect::Avrae, "1 + 2 == 2", "(1+2)=2"),
    (Dialect::Avrae, "(1d4+1, 3, 2d6kl1)kh1", "{1d4+1,3,2d6kl1}kh1"),
    (Dialect::Avrae, "1d8[fire] + 2", "1d8[fire]+2"),
    (Dialect::Avrae, "1d20 keep something", "1d20"),
    (Dialect::Avrae, "1d20 damage", "1d20"),
    (Dialect::Avrae, "1d20+5 to hit", "1d20+5"),
    (Dialect::Roll20, "4d6k3", "4d6kh3"),
    (Dialect::Roll20, "2d20kl1", "2d20kl1"),
    (Dialect::Roll20, "4d6d1", "4d6dl1"),
    (Dialect::Roll20, "8d6>3", "8d6>=3"),
    (Dialect::Roll20, "3d6>3f1", "3d6>=3f=1"),
    (Dialect::Roll20, "10d6<4f>5", "10d6<=4f>=5"),
    (Dialect::Roll20, "3d6!", "3d6!"),
    (Dialect::Roll20, "3d6!5", "3d6!==5"),
    (Dialect::Roll20, "3d6!>4", "3d6!>=4"),
    (Dialect::Roll20, "5d6!!5", "5d6!!==5"),
    (Dialect::Roll20, "5d6!p>5", "5d6!p>=5"),
    (Dialect::Roll20, "2d8r8", "2d8r=8"),
    (Dialect::Roll20, "2d8r", "2d8r=1"),
    (Dialect::Roll20, "2d8r1r3", "2d8r=1r=3"),
    (Dialect::Roll20, "2d8ro<2", "2d8ro<=2"),
    (Dialect::Roll20, "1d20cs>18cf<3", "1d20cs>=18cf<=3"),
    (Dialect::Roll20, "1d20cs20", "1d20cs=20"),
    (Dialect::Roll20, "10d6sd", "10d6sd"),
    (Dialect::Roll20, "{4d6+3d8}k4", "{d6,d6,d6,d6,d8,d8,d8}kh4"),
    (Dialect::Roll20, "{4d6}k3", "4d6kh3"),
    (Dialect::Roll20, "{4d6,3d8}kh1", "{4d6,3d8}kh1"),
    (Dialect::Roll20, "[[1d20+5]]", "(1d20+5)"),
    (Dialect::Roll20, "1d20+5 Roll for initiative", "1d20+5"),
    (Dialect::Roll20, "floor(1d20/2)", "(1d20/2)"),
    (Dialect::Roll20, "2**3", "2^3"),
];

fn in_dialect(text: &str, dialect: Dialect) -> Result<Expression, NotationError> {
    Expression::parse_in(text, &Limits::DEFAULT, dialect)
}

#[test]
fn a_dialect_reads_with_the_peers_meaning_and_prints_ours() {
    for (dialect, text, ours) in DIALECTS {
        let read = in_dialect(text, *dialect).unwrap_or_else(|error| panic!("{text} in {dialect}: {error}"));
        assert_eq!(read.to_string(), *ours, "{text} in {dialect}");
        let again = Expression::parse(ours).unwrap_or_else(|error| panic!("{ours}: {error}"));
        assert_eq!(again.to_string(), *ours);
        let roll = |read: &Expression| read.roll(&mut Random::new(Seed::from(3)), &Params::new()).unwrap();
        let (theirs, mine) = (roll(&read), roll(&again));
        assert_eq!((theirs.value(), theirs.dice().len()), (mine.value(), mine.dice().len()), "{text} in {dialect}");
        assert_eq!(theirs.plain(), mine.plain(), "{text} in {dialect}");
        assert_eq!(theirs.json()["read_as"], *ours);
    }
}

#[test]
fn what_a_peer_means_and_has_no_spelling_here_is_refused() {
    for (dialect, text) in [
        (Dialect::Avrae, "4d6ra6"),
        (Dialect::Avrae, "4d6rol1"),
        (Dialect::Avrae, "4d6k1k2"),
        (Dialect::Avrae, "4d6kh1kl1"),
        (Dialect::Avrae, "4d6ro1ro2"),
        (Dialect::Avrae, "1d20*7/2*2"),
        (Dialect::Roll20, "20d6mt"),
        (Dialect::Roll20, "{4d6*2}k1"),
    ] {
        let error = in_dialect(text, dialect).map(|read| read.to_string());
        assert!(error.is_err(), "{text} in {dialect} is read as {error:?}");
    }
}
