//! What holds of every expression: it prints to its own tree, all readings agree, and nothing makes it panic.

use grognard::dice::{Expression, Limits, Params, Random, Recorder, RollValue, Seed};
use proptest::prelude::*;

const LIMITS: Limits = Limits { draws: 2_000, members: 50, ..Limits::DEFAULT };

/// What a total may be told as: the number, successes, or the answer of a comparison.
fn results(total: &RollValue) -> [String; 3] {
    let successes = if total.numbers() == [1] { "success" } else { "successes" };
    let answers: Vec<&str> = total.numbers().iter().map(|number| if *number == 0 { "no" } else { "yes" }).collect();
    [total.to_string(), format!("{total} {successes}"), answers.join(", ")]
}

fn params() -> Params {
    [("str", 3), ("n", -2)].into_iter().collect()
}

/// The tree as text, without the places in the text.
fn shape(expression: &Expression) -> String {
    let tree = format!("{:?}", expression.tree());
    let mut shape = String::new();
    let mut rest = tree.as_str();
    while let Some(at) = rest.find("Span {") {
        shape.push_str(&rest[..at]);
        let end = rest[at..].find('}').expect("a span is closed");
        rest = &rest[at + end + 1..];
    }
    shape + rest
}

/// Everything that must hold of a text, read or refused.
fn holds(text: &str, seed: u64) -> Result<bool, TestCaseError> {
    let expression = match Expression::parse_with(text, &LIMITS) {
        Ok(expression) => expression,
        Err(error) => {
            let (start, end) = (error.span().start as usize, error.span().end as usize);
            prop_assert!(start <= end, "{text}: {error}");
            prop_assert!(!error.to_string().contains('\n'), "{text}: {error}");
            prop_assert!(error.pretty(text).ends_with(&error.to_string()), "{text}");
            return Ok(false);
        }
    };
    let printed = expression.to_string();
    let again = Expression::parse_with(&printed, &LIMITS);
    let again = again.map_err(|error| TestCaseError::fail(format!("{text} prints {printed}: {error}")))?;
    prop_assert_eq!(shape(&again), shape(&expression), "{} prints {}", text, printed);
    prop_assert_eq!(again.to_string(), printed);

    let mut traced = Recorder::new(Random::new(Seed::from(seed)));
    let mut bare = Recorder::new(Random::new(Seed::from(seed)));
    let roll = expression.roll(&mut traced, &params());
    let total = expression.total(&mut bare, &params());
    let (traced, bare) = (traced.draws(), bare.draws());
    prop_assert_eq!(traced, bare, "{} draws other dice with a trace", text);
    match (roll, total) {
        (Ok(roll), Ok(total)) => {
            prop_assert_eq!(roll.value(), &total, "{}", text);
            prop_assert_eq!(&roll.root().value, &total, "{}", text);
            let faces: Vec<_> = roll.dice().iter().map(|die| (die.raw, die.sides)).collect();
            let drawn: Vec<_> = traced.iter().map(|draw| (draw.face, draw.sides)).collect();
            prop_assert_eq!(faces, drawn, "{}", text);
            let tells = |shown: &str, before: &str, after: &str| {
                // A comment stays behind the result.
                let ends = |result: &String| {
                    let told = format!("{before}{result}{after}");
                    if text.contains('#') { shown.contains(&told) } else { shown.ends_with(&told) }
                };
                results(&total).iter().any(ends)
            };
            prop_assert!(tells(&roll.plain(), "= ", ""), "{text}: {}", roll.plain());
            prop_assert!(results(&total).iter().any(|result| roll.ansi().contains(result)), "{text}: {}", roll.ansi());
            prop_assert!(tells(&roll.markdown(), "**", "**"), "{text}: {}", roll.markdown());
            prop_assert_eq!(&roll.json()["text"], &roll.plain(), "{}", text);
            let bounds = expression.bounds(&params());
            let bounds = bounds.map_err(|error| TestCaseError::fail(format!("{text} has a value: {error}")))?;
            for number in total.numbers() {
                prop_assert!(bounds.least.is_none_or(|least| least <= *number), "{text}: {number} under {bounds:?}");
                prop_assert!(bounds.greatest.is_none_or(|most| most >= *number), "{text}: {number} over {bounds:?}");
            }
            if let Some((least, most)) = bounds.members {
                let members = total.numbers().len() as u64;
                prop_assert!((least..=most).contains(&members), "{text}: {members} members, {bounds:?}");
            }
        }
        (Err(roll), Err(total)) => prop_assert_eq!(roll, total, "{}", text),
        (roll, total) => prop_assert!(false, "{text}: {roll:?} with a trace, {total:?} without"),
    }
    Ok(true)
}

/// Parts of the notation, thrown together.
fn soup() -> impl Strategy<Value = String> {
    let parts = [
        "1", "2", "3", "10", "d6", "d%", "dF", "d[1,1,2]", "d[-2..3]", "4d6", "3d4", "(", ")", "{", "}", ",", "+", "-",
        "*", "/", "//", "/^", "%", "^", "kh", "kl", "km", "dh", "dl", "k", "d", "!", "!!", "!p", "!c", "o", "{2}", "r",
        "rb", "ro", "min", "max", "abs(", "if(", "sum(", "sort(", "min(", "u", "f", "ss", "sa", "sd", "[fire]", "=",
        "<>", "<", "<=", ">", ">=", "==", "!=", "x", " ", "a", ":=", ";", "$str", "$n", "# no", "−", "×", "é", ".",
        "..",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 1..14).prop_map(|parts| parts.concat())
}

fn comparison() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let number =
        prop_oneof![(-1i64..8).prop_map(|n| n.to_string()), Just("(1d4)".to_owned()), Just("($str)".to_owned())];
    (sign, number).prop_map(|(sign, number)| format!("{sign}{number}"))
}

fn amount() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), (0i64..5).prop_map(|n| n.to_string()), Just("(1d3)".to_owned())]
}

fn operator() -> impl Strategy<Value = String> {
    let ends = prop::sample::select(vec!["kh", "kl", "km", "dh", "dl"]);
    let cap = prop::sample::select(vec!["", "", "o", "{2}", "{(1d2)}"]);
    let mark = prop::sample::select(vec!["!", "!!", "!p", "!c"]);
    prop_oneof![
        (ends, amount()).prop_map(|(end, amount)| end.to_owned() + &amount),
        comparison(),
        comparison().prop_map(|comparison| format!("k{comparison}")),
        comparison().prop_map(|comparison| format!("d{comparison}")),
        comparison().prop_map(|comparison| format!("rb{comparison}")),
        comparison().prop_map(|comparison| format!("f{comparison}")),
        comparison().prop_map(|comparison| format!("ss{comparison}")),
        comparison().prop_map(|comparison| format!("cs{comparison}")),
        comparison().prop_map(|comparison| format!("cf{comparison}")),
        (comparison(), comparison()).prop_map(|(one, other)| format!("r{one}r{other}")),
        (cap.clone(), comparison()).prop_map(|(cap, comparison)| format!("r{cap}{comparison}")),
        (mark.clone(), cap.clone()).prop_map(|(mark, cap)| format!("{mark}{cap}")),
        (mark, cap, comparison()).prop_map(|(mark, cap, comparison)| {
            let double = if mark.ends_with('!') && cap.is_empty() && comparison.starts_with('=') { "=" } else { "" };
            format!("{mark}{cap}{double}{comparison}")
        }),
        prop::sample::select(vec![
            "min2", "max4", "min-1", "max(1d6)", "u", "sa", "sd", "[fire]", "mi3", "ma2", "s", "rr1"
        ])
        .prop_map(str::to_owned),
    ]
}

fn pool() -> impl Strategy<Value = String> {
    let count = prop::sample::select(vec!["", "0", "1", "2", "4", "7", "(1d4)", "($str)"]);
    let sides =
        prop::sample::select(vec!["1", "2", "6", "20", "%", "F", "F.1", "[1,1,2,3,5]", "[-3..-1,4]", "(1d6+1)"]);
    let operators = prop::collection::vec(operator(), 0..4);
    (count, sides, operators).prop_map(|(count, sides, operators)| format!("{count}d{sides}{}", operators.concat()))
}

/// Expressions that mostly can be read.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![4 => pool(), 1 => (0i64..30).prop_map(|n| n.to_string()), 1 => Just("$n".to_owned())];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        let sign = prop::sample::select(vec!["+", "-", "*", "/", "//", "/^", "%", " + ", " × ", "−", "÷", "—"]);
        let function = prop::sample::select(vec!["min", "max", "MAX"]);
        let group = prop::collection::vec(inner.clone(), 1..4);
        let select =
            prop::sample::select(vec!["", "kh1", "kl2", "km", "dl", "dh(1d2)", ">=3", "k>2", "d<=1", "sa", "[ice]"]);
        prop_oneof![
            (inner.clone(), sign, inner.clone()).prop_map(|(left, sign, right)| format!("{left}{sign}{right}")),
            inner.clone().prop_map(|inner| format!("({inner})")),
            inner.clone().prop_map(|inner| format!("-{inner}")),
            inner.clone().prop_map(|inner| format!("({inner})^2")),
            inner.clone().prop_map(|inner| format!("({inner})*0.35")),
            (prop::sample::select(vec!["floor", "ceil", "round"]), inner.clone(), 1i64..7)
                .prop_map(|(function, inner, by)| format!("{function}(({inner})/{by})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left})!=({right})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left}, {right})kh1")),
            inner.clone().prop_map(|inner| format!("abs({inner})[cold]")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left})>=({right})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| format!("if({c},{a},{b})")),
            (function, prop::collection::vec(inner.clone(), 1..4))
                .prop_map(|(function, inner)| format!("{function}({})", inner.join(", "))),
            (group, select).prop_map(|(members, select)| format!("{{{}}}{select}", members.join(","))),
            inner.clone().prop_map(|inner| format!("sum((3 x ({inner}))kh2)")),
            inner.prop_map(|inner| format!("sum(sort((1d3) x {inner}))")),
        ]
    });
    let around = prop::sample::select(vec!["", "", "3 x ", "a := 1d6; a + ", "a := 2d4kh1; (a)d4 + "]);
    (around, tree).prop_map(|(around, tree)| {
        if around.ends_with("x ") { format!("{around}({tree})") } else { format!("{around}{tree}") }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_by_the_rules_holds(text in expression(), seed in 0u64..1_000) {
        holds(&text, seed)?;
    }

    #[test]
    fn parts_thrown_together_are_read_or_refused_and_never_panic(text in soup(), seed in 0u64..1_000) {
        holds(&text, seed)?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
        holds(&text, 1)?;
    }
}

#[test]
fn most_generated_expressions_can_be_read() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let read = (0..500)
        .filter(|_| {
            let text = expression().new_tree(&mut runner).expect("the strategy has values").current();
            Expression::parse(&text).is_ok()
        })
        .count();
    assert!(read > 100, "only {read} of 500 generated expressions can be read: the properties hold of too little");
}
