//! Committed golden sequences: the same seed gives the same dice on every machine, in every version.
//!
//! A change here breaks every saved game and every shared seed. It is never a repair of the test.

use grognard::dice::{Die, Expression, Params, Random, Recorder, Seed, Source};

fn faces(seed: Seed, die: Die<'_>, count: usize) -> Vec<i64> {
    let mut faces = vec![0; count];
    Random::new(seed).fill(die, "contract", &mut faces).expect("a random source always has dice");
    faces
}

#[test]
fn dice_of_a_seed_are_those_committed() {
    let cases: &[(&str, Die<'_>, &[i64])] = &[
        ("42", Die::Numbered(6), &[2, 5, 5, 5, 2, 5, 6, 1]),
        ("42", Die::Numbered(20), &[6, 16, 17, 15, 6, 17, 20, 3]),
        ("42", Die::Numbered(100), &[27, 79, 81, 71, 30, 83, 96, 11]),
        ("42", Die::FUDGE, &[-1, 1, 1, 1, -1, 1, 1, -1]),
        ("1", Die::Numbered(6), &[3, 1, 2, 4, 1, 1, 6, 1]),
        ("the tomb of horrors", Die::Numbered(20), &[14, 18, 20, 1, 20, 18, 4, 13]),
        ("", Die::Numbered(6), &[2, 1, 2, 1, 3, 6, 5, 1]),
        (
            "42",
            Die::Numbered(u32::MAX),
            &[
                1_127_354_896,
                3_388_872_169,
                3_442_602_466,
                3_007_040_489,
                1_254_001_165,
                3_551_074_476,
                4_119_132_634,
                440_300_421,
            ],
        ),
    ];
    for (seed, die, wanted) in cases {
        assert_eq!(faces(Seed::of_text(seed), *die, 8), *wanted, "seed {seed:?}, {die}");
    }
    assert_eq!(faces(Seed::from(42), Die::Numbered(6), 8), faces(Seed::of_text("42"), Die::Numbered(6), 8));
}

#[test]
fn streams_of_a_seed_are_those_committed() {
    let cases: &[(u64, &[i64])] = &[
        (0, &[16, 18, 15, 1, 10, 11, 20, 19]),
        (1, &[9, 15, 12, 17, 4, 2, 17, 3]),
        (u64::MAX, &[14, 20, 18, 17, 17, 3, 19, 18]),
    ];
    for (stream, wanted) in cases {
        assert_eq!(faces(Seed::from(42).stream(*stream), Die::Numbered(20), 8), *wanted, "stream {stream}");
    }
}

/// Expression, its value as text, and the faces in the order drawn.
const ROLLS: &[(&str, &str, &[i64])] = &[
    ("3d6+1", "12", &[1, 4, 6]),
    ("4d6kh3", "11", &[1, 4, 6, 1]),
    ("2d20kl1+5", "9", &[4, 11]),
    ("(1d4)d(1d6+2)kh(1d2)", "1", &[1, 4, 2, 1]),
    ("6d6!", "20", &[1, 4, 6, 1, 3, 2, 3]),
    ("6d4!c=4>=3", "2", &[1, 3, 4, 1, 2, 1, 2]),
    ("6d6r<3", "24", &[1, 4, 6, 1, 3, 2, 3, 2, 5, 3]),
    ("4d6rb<4", "15", &[1, 4, 6, 1, 3, 2]),
    ("5d6u", "16", &[1, 4, 6, 1, 3, 2]),
    ("{2d6, 1d10}kh1 + d%", "23", &[1, 4, 10, 13]),
    ("3 x 4d6kh3", "11, 8, 16", &[1, 4, 6, 1, 3, 2, 3, 2, 5, 3, 5, 6]),
    ("a := 1d20; if(a >= 11, 2d8, 1d4) + a", "7", &[4, 3]),
    ("4dF", "-1", &[-1, 0, 1, -1]),
];

#[test]
fn whole_expressions_draw_and_come_to_what_is_committed() {
    for (text, wanted, faces) in ROLLS {
        let expression = Expression::parse(text).expect(text);
        let mut source = Recorder::new(Random::new(Seed::from(7)));
        let roll = expression.roll(&mut source, &Params::new()).expect(text);
        let drawn: Vec<i64> = source.draws().iter().map(|draw| draw.face).collect();
        assert_eq!((roll.value().to_string().as_str(), drawn.as_slice()), (*wanted, *faces), "{text}");
        let total = expression.total(&mut Random::new(Seed::from(7)), &Params::new()).expect(text);
        assert_eq!(total, *roll.value(), "{text} without a trace");
    }
}

/// Sums of big pools, three from each seed one after the other, and the d20 that falls next.
#[test]
fn sums_of_big_pools_are_those_committed() {
    let thirds = [0, 0, 1];
    let cases: &[(&str, Die<'_>, u32, [i64; 3], i64)] = &[
        ("42", Die::Numbered(6), 2_048, [7_165, 7_315, 7_201], 11),
        ("42", Die::Numbered(6), 1_000_000, [3_499_979, 3_503_031, 3_500_961], 12),
        ("42", Die::Numbered(2), 1_000_000, [1_500_357, 1_499_523, 1_500_308], 20),
        ("42", Die::Numbered(20), 1_000_000, [10_508_916, 10_489_523, 10_493_049], 4),
        ("42", Die::Numbered(15_625), 1_000_000, [7_809_023_056, 7_812_630_992, 7_813_361_343], 15),
        ("42", Die::FUDGE, 4_096, [7, -39, 183], 15),
        ("42", Die::Listed(&thirds), 4_096, [1_351, 1_308, 1_456], 15),
        ("1", Die::Numbered(6), 1_000_000, [3_502_570, 3_498_463, 3_499_122], 4),
        ("the tomb of horrors", Die::Numbered(100), 123_456, [6_226_549, 6_233_871, 6_217_812], 14),
        ("", Die::Numbered(6), u32::MAX, [15_032_433_615, 15_032_402_521, 15_032_317_687], 10),
        // One die less, and they fall one by one.
        ("42", Die::Numbered(6), 2_047, [7_168, 7_251, 7_244], 2),
        ("42", Die::Numbered(100), 6_399, [326_177, 321_668, 322_586], 5),
    ];
    let found: Vec<_> = cases
        .iter()
        .map(|(seed, die, count, ..)| {
            let mut random = Random::new(Seed::of_text(seed));
            let sums = [(); 3].map(|()| random.sum(*die, *count, "contract").expect("a random source always has dice"));
            (*seed, *die, *count, sums, random.d(20))
        })
        .collect();
    assert_eq!(found, cases);
    let single: i64 = faces(Seed::from(42), Die::Numbered(6), 2_047).iter().sum();
    assert_eq!(single, 7_168, "2,047 d6 are no big pool");
}

#[test]
fn totals_of_big_pools_are_those_committed() {
    for (text, wanted) in
        [("1000000d6", "3498492"), ("5000d6+1d20", "17413"), ("3 x 2048dF", "-19, 8, -35"), ("2047d6", "7212")]
    {
        let expression = Expression::parse(text).expect(text);
        let total = expression.total(&mut Random::new(Seed::from(7)), &Params::new()).expect(text);
        assert_eq!(total.to_string(), wanted, "{text}");
    }
}
