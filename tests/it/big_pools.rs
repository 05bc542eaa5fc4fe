//! Big pools: sums that are drawn without throwing the dice have the odds of dice, and nobody who stands between the
//! dice and the roll changes them.

use grognard::dice::{Die, Expression, Params, Random, Recorder, Replay, Seed, Source};
use grognard::lua::Host;
use grognard::odds::{Budget, of_expression};
use grognard::rules::core::Value;

fn random(seed: &str) -> Random {
    Random::new(Seed::of_text(seed))
}

fn parse(text: &str) -> Expression {
    Expression::parse(text).expect(text)
}

/// How far the sums of an expression are from its exact odds: chi-square over cells of 25 sums or more, in deviations
/// from what is expected of it.
fn surprise(text: &str, samples: u32) -> f64 {
    let expression = parse(text);
    let odds = of_expression(&expression, &Params::new(), &Budget::default()).expect(text);
    let law = odds.number().expect("a pool is a number");
    let mut random = random("chi-square");
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..samples {
        let total = expression.total(&mut random, &Params::new()).expect(text);
        *seen.entry(total.number().expect("a pool is a number")).or_insert(0_u32) += 1;
    }
    let (mut square, mut cells) = (0.0, -1.0);
    let (mut here, mut expected, mut left) = (0.0, 0.0, f64::from(samples));
    let mut possible = 0;
    for (value, chance) in law.floats() {
        if let Some(count) = seen.get(value) {
            here += f64::from(*count);
            possible += count;
        }
        expected += chance * f64::from(samples);
        if expected >= 25.0 && left - expected >= 25.0 {
            square += (here - expected) * (here - expected) / expected;
            cells += 1.0;
            left -= expected;
            (here, expected) = (0.0, 0.0);
        }
    }
    assert_eq!(possible, samples, "{text} came to a sum that its odds do not know");
    square += (here - expected) * (here - expected) / expected;
    (square - cells) / (2.0_f64 * cells).sqrt()
}

#[test]
fn sums_of_big_pools_have_the_exact_odds_of_their_dice() {
    let rare: Vec<String> = (0..31).map(|_| "0".to_owned()).chain(["1".to_owned()]).collect();
    let rare = format!("2048d[{}]", rare.join(","));
    for text in ["2048d2", "4096dF", "2048d6", "3000d[0,0,1]", "2049d[1,1,2,3,5]", "2560d[0..39]", &rare] {
        let surprise = surprise(text, 20_000);
        assert!(surprise.abs() < 4.5, "{text}: {surprise}");
    }
}

#[test]
fn a_pool_just_below_a_big_one_has_the_same_odds() {
    assert!(surprise("2047d6", 2_000).abs() < 4.5);
}

/// Mean and variance of the greatest pools, whose odds nobody writes down.
#[test]
fn a_million_dice_come_to_their_mean_and_variance() {
    for sides in [1_u32, 2, 3, 6, 20, 100, 1_000] {
        let (count, samples) = (1_000_000_u32, if sides > 20 { 500_u32 } else { 4_000 });
        let die = Die::Numbered(sides);
        assert!(die.is_big_pool(count));
        let faces = f64::from(sides);
        let mean = f64::from(count) * (faces + 1.0) / 2.0;
        let variance = f64::from(count) * (faces * faces - 1.0) / 12.0;
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut random = random("moments");
        for _ in 0..samples {
            let off = random.sum(die, count, "test").unwrap() as f64 - mean;
            sum += off;
            squares += off * off;
        }
        if sides == 1 {
            assert!(sum == 0.0 && squares == 0.0);
            continue;
        }
        let samples = f64::from(samples);
        let off = sum / samples / (variance / samples).sqrt();
        assert!(off.abs() < 4.0, "d{sides}: the mean is {off} deviations off");
        let off = (squares / samples / variance - 1.0) / (2.0 / samples).sqrt();
        assert!(off.abs() < 4.0, "d{sides}: the variance is {off} deviations off");
    }
}

#[test]
fn the_ends_of_what_can_fall_are_never_passed() {
    let mut random = random("ends");
    assert_eq!(random.sum(Die::Numbered(6), 0, "test"), Ok(0));
    assert_eq!(random.sum(Die::Numbered(1), u32::MAX, "test"), Ok(i64::from(u32::MAX)));
    assert_eq!(random.sum(Die::Listed(&[7, 7, 7]), 3_000, "test"), Ok(21_000));
    assert_eq!(random.sum(Die::Listed(&[-2]), 3_000, "test"), Ok(-6_000));
    for count in [2_048, 10_000, u32::MAX] {
        let sum = random.sum(Die::Numbered(6), count, "test").unwrap();
        assert!((i64::from(count)..=6 * i64::from(count)).contains(&sum), "{count}: {sum}");
    }
}

#[test]
fn the_same_seed_comes_to_the_same_sum_whoever_looks_on() {
    for text in ["5000d6", "5000d6 + 1d20", "(5000)d(6) + 3d6", "3 x 2048dF", "2047d6 + 4d6kh3"] {
        let expression = parse(text);
        let mut bare = random("onlookers");
        let wanted = expression.total(&mut bare, &Params::new()).expect(text);

        let mut recorder = Recorder::new(Box::new(random("onlookers")) as Box<dyn Source>);
        let mut reference = &mut recorder;
        assert_eq!(expression.total(&mut reference, &Params::new()).expect(text), wanted, "{text} recorded");
        let mut nested = Recorder::new(Recorder::new(random("onlookers")));
        assert_eq!(expression.total(&mut nested, &Params::new()).expect(text), wanted, "{text} recorded twice");
        let (mut inner, draws) = recorder.into_parts();
        assert_eq!(draws, nested.draws(), "{text}");

        let mut replay = Replay::new(draws);
        assert_eq!(expression.total(&mut replay, &Params::new()).expect(text), wanted, "{text} replayed");
        assert_eq!(replay.unused(), 0, "{text}");
        // What falls afterwards is the same too.
        let next = Die::Numbered(1_000_000);
        assert_eq!(inner.draw(next, "next"), bare.draw(next, "next"), "{text}");
    }
}

#[test]
fn a_record_of_a_big_pool_names_each_of_its_dice() {
    let mut recorder = Recorder::new(random("record"));
    parse("1d4 + 5000d6 + 2d8").total(&mut recorder, &Params::new()).unwrap();
    let counts: Vec<_> = recorder.draws().iter().map(|draw| (draw.count, draw.sides)).collect();
    assert_eq!(counts, [(1, 4), (5_000, 6), (1, 8), (1, 8)]);
    let sides = recorder.sides();
    assert_eq!((sides.len(), sides[0], sides[5_000], sides[5_001]), (5_003, 4, 6, 8));
}

/// Whoever looks at single dice gets single dice: a roll with its trace, and a pool with operators.
#[test]
fn dice_that_are_looked_at_fall_one_by_one() {
    let roll = parse("3000d6").roll(&mut random("looked at"), &Params::new()).unwrap();
    assert_eq!(roll.dice().len(), 3_000);
    let faces: i64 = roll.dice().iter().map(|die| die.raw).sum();
    assert_eq!(faces, roll.total());
    let mut single = vec![0; 3_000];
    random("looked at").fill(Die::Numbered(6), "test", &mut single).unwrap();
    assert_eq!(single.iter().sum::<i64>(), roll.total());
    let kept = parse("3000d6kh2000").total(&mut random("looked at"), &Params::new()).unwrap();
    single.sort_unstable();
    assert_eq!(kept.number(), Some(single[1_000..].iter().sum()));
}

#[test]
fn a_script_comes_to_the_same_sum_with_and_without_a_trace() {
    let host = || Host::builder().seed("trace").build().unwrap();
    let line = "return roll.sum(50000, 6) + roll.d(20)";
    let traced = host().evaluate(line).unwrap().text.unwrap_or_default();
    let plain = host().run_text("test", line).unwrap();
    let Value::Whole(plain) = plain else { panic!("{plain:?}") };
    assert_eq!(traced.trim(), plain.to_string());
}
