//! Random text thrown at the notation parser: nothing panics, and what is read prints and reads back as the same tree.
//!
//! A few seconds of a fixed sequence by default; `GROG_FUZZ_ROUNDS=5000000 cargo test --release --test notation_fuzz`
//! runs as many rounds as told, and `GROG_FUZZ_SEED` starts another sequence.

use std::env;

use grognard::dice::{Die, Expression, Limits, Params, Random, Seed, Source};

/// What dice notation is made of, whole and in pieces, and what it is not made of.
const PIECES: [&str; 108] = [
    "d",
    "D",
    "d6",
    "d%",
    "dF",
    "4dF",
    "d20",
    "3d6",
    "d[1,2,3]",
    "d[0..9]",
    "d[",
    "..",
    "0d6",
    "d0",
    "1d1",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[fire]",
    "$str",
    "$",
    "$n",
    "kh",
    "kl",
    "km",
    "dh",
    "dl",
    "kh3",
    "kl2",
    "km1",
    "dh1",
    "dl1",
    "k>=5",
    "d=1",
    "!",
    "!!",
    "!>=5",
    "!!>=9",
    "!p",
    "!c",
    "!o",
    "!{2}",
    "!p{2}>=5",
    "r",
    "r<3",
    "ro",
    "ro=1",
    "r{2}=1",
    "rb<3",
    "min2",
    "max5",
    "u",
    ">=",
    "<=",
    ">",
    "<",
    "=",
    "<>",
    "!=",
    "==",
    "f",
    "f<=1",
    "ss=10",
    "sa",
    "sd",
    "+",
    "-",
    "*",
    "/",
    "//",
    "/^",
    "%",
    "^",
    "min(",
    "max(",
    "abs(",
    "if(",
    "sum(",
    "sort(",
    "{2d6,1d10}kh1",
    "6 x ",
    " x ",
    "x",
    ",",
    ":=",
    ";",
    "a := ",
    "a",
    "b",
    "#",
    " ",
    "  ",
    "\n",
    "0",
    "1",
    "2",
    "7",
    "10",
    "99",
    "9223372036854775807",
    "−",
    "×",
    "é",
    "\u{0}",
    "🎲",
];

/// Texts that are read, to be damaged.
const SEEDS: [&str; 16] = [
    "3d6+1",
    "4d6kh3",
    "2d20kl1 + 5",
    "8d10!>=8",
    "10d10>=8f=1",
    "6 x 4d6kh3",
    "(1d4)d6",
    "{2d6, 1d10}kh1",
    "a := 1d6; a - a",
    "2d6r<=2",
    "1d20+$str # to hit",
    "max(1d6, 1d8)[cold] + 2",
    "if(1d20 >= 11, 2d6, 0)",
    "sum(3 x 2d6kh1)",
    "4d6min2max5u",
    "-2^2 // 3 % 5 /^ 2",
];

struct Chance(Random);

impl Chance {
    /// A number from 0 to `below - 1`.
    fn below(&mut self, below: usize) -> usize {
        self.0.draw(Die::Numbered(below as u32), "fuzz").unwrap() as usize - 1
    }

    fn one_of<'p>(&mut self, pieces: &[&'p str]) -> &'p str {
        pieces[self.below(pieces.len())]
    }

    /// Pieces of notation in any order.
    fn salad(&mut self) -> String {
        (0..=self.below(14)).map(|_| self.one_of(&PIECES)).collect()
    }

    /// A text that is read, with some characters cut out, doubled, or replaced by pieces.
    fn damaged(&mut self) -> String {
        let mut text: Vec<char> = self.one_of(&SEEDS).chars().collect();
        for _ in 0..=self.below(4) {
            let at = self.below(text.len() + 1);
            let to = (at + self.below(4)).min(text.len());
            match self.below(3) {
                0 => drop(text.drain(at..to)),
                1 => {
                    let copy = text[at..to].to_vec();
                    text.splice(at..at, copy);
                }
                _ => {
                    let piece = self.one_of(&PIECES);
                    text.splice(at..to, piece.chars());
                }
            }
        }
        text.into_iter().collect()
    }

    /// Any characters at all.
    fn noise(&mut self) -> String {
        (0..=self.below(20)).filter_map(|_| char::from_u32(self.below(0x250) as u32)).collect()
    }

    /// Nested as deep as it comes.
    fn tower(&mut self) -> String {
        let depth = self.below(200);
        let open = self.one_of(&["(", "-", "abs(", "{1,", "1+(", "(1d2)d", "2 x ("]);
        let close = match open {
            "-" | "(1d2)d" => "",
            "{1," => "}",
            _ => ")",
        };
        format!("{}1d6{}", open.repeat(depth), close.repeat(depth))
    }

    fn text(&mut self) -> String {
        match self.below(20) {
            0 => self.noise(),
            1 => self.tower(),
            2..=9 => self.damaged(),
            _ => self.salad(),
        }
    }
}

/// The tree as text, without the places in the text.
fn shape(expression: &Expression) -> String {
    let tree = format!("{:?}", expression.tree());
    let parts = tree.split("Span {").enumerate();
    parts.map(|(i, part)| if i == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) }).collect()
}

/// What must hold of every text. Returns whether it was read.
fn holds(text: &str, limits: &Limits, dice: &mut Random, params: &Params) -> bool {
    let expression = match Expression::parse_with(text, limits) {
        Ok(expression) => expression,
        Err(error) => {
            let (start, end) = (error.span().start as usize, error.span().end as usize);
            assert!(
                text.get(start..end).is_some(),
                "{text:?}: the place of {error} lies outside or inside a character"
            );
            assert!(!error.to_string().is_empty(), "{text:?}");
            return false;
        }
    };
    let printed = expression.to_string();
    let again = Expression::parse_with(&printed, limits)
        .unwrap_or_else(|error| panic!("{text:?} prints {printed:?}, which is refused: {error}"));
    assert_eq!(shape(&again), shape(&expression), "{text:?} prints {printed:?}, which is another tree");
    assert_eq!(again.to_string(), printed, "{text:?} prints in two ways");
    // Rolling may fail (a division by zero, a limit), but does not panic.
    let _ = expression.total(dice, params);
    true
}

#[test]
fn nothing_that_is_typed_panics_and_all_that_is_read_prints_back() {
    let number =
        |name: &str, otherwise: u64| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (rounds, seed) = (number("GROG_FUZZ_ROUNDS", 20_000), number("GROG_FUZZ_SEED", 1));
    let mut chance = Chance(Random::new(Seed::from(seed)));
    let mut dice = Random::new(Seed::from(seed));
    let params: Params = [("str", 3), ("n", -2)].into_iter().collect();
    let limits = Limits { draws: 500, members: 30, ..Limits::DEFAULT };
    let mut read = 0;
    for _ in 0..rounds {
        read += u64::from(holds(&chance.text(), &limits, &mut dice, &params));
    }
    // A fuzzer whose texts are all refused would test nothing.
    assert!(read * 20 > rounds, "only {read} of {rounds} texts were read");
}
