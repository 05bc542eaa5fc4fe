//! Rolls as people and programs read them: plain text, text with ANSI colors, Markdown, JSON.
//!
//! The marks of plain text: `(1)` is dropped, `1r` was rolled again, `6!` added a die, `15!!` is a compound die,
//! `1>2` counts 2 instead of its face 1, `8*` is a success, `10**` counts twice, `1f` is a failure; `20 cs` and `1 cf`
//! are marked by the operators of these names.

mod ansi;
mod json;
mod markdown;
mod pieces;
mod plain;
mod result;

use pieces::pieces;

use super::Roll;

impl Roll {
    /// Plain text: `3d6 [4, 1, 6] + 1 = 12`.
    #[must_use]
    pub fn plain(&self) -> String {
        pieces(self).iter().fold(String::new(), plain::write)
    }

    /// The same with ANSI colors. Whether the terminal wants them is the caller's question.
    #[must_use]
    pub fn ansi(&self) -> String {
        pieces(self).iter().fold(String::new(), ansi::write)
    }

    /// The same as Markdown: dropped dice struck, successes and the total bold.
    #[must_use]
    pub fn markdown(&self) -> String {
        pieces(self).iter().fold(String::new(), markdown::write)
    }

    /// JSON: `total`, `text` (as [`Roll::plain`]), `expression`, `dice`, `labels`, `tree`.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        // Maps with text keys and numbers: nothing in a roll can fail to become JSON.
        serde_json::to_value(self).unwrap_or(serde_json::Value::Null)
    }
}

impl std::fmt::Display for Roll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.plain())
    }
}

#[cfg(test)]
mod tests {
    use crate::dice::{Expression, Params, Roll, Scripted};

    fn roll(text: &str, dice: &[i64]) -> Roll {
        let params: Params = [("str", 3)].into_iter().collect();
        Expression::parse(text).unwrap().roll(&mut Scripted::new(dice), &params).unwrap()
    }

    #[test]
    fn plain_text_marks_what_became_of_each_die() {
        let cases: &[(&str, &[i64], &str)] = &[
            ("3d6+1", &[4, 1, 6], "3d6 [4, 1, 6] + 1 = 12"),
            ("4d6kh3", &[1, 5, 3, 4], "4d6kh3 [(1), 5, 3, 4] = 12"),
            ("3d6!", &[6, 1, 6, 2, 6, 3], "3d6! [6!, 2, 1, 6!, 6!, 3] = 24"),
            ("2d6!!", &[6, 1, 3], "2d6!! [9!!, 1] = 10"),
            ("1d20!p", &[20, 20, 5], "1d20!p [20!, 20>19!, 5>4] = 43"),
            ("2d6!max7", &[6, 3, 5], "2d6!max7 [6!, 5 (11>7), 3] = 10"),
            ("2d6r<3", &[1, 5, 2, 4], "2d6r<3 [1r, 2r, 4, 5] = 9"),
            ("1d20rb<10", &[3, 2], "1d20rb<10 [3, 2r] = 3"),
            ("4d6min2", &[1, 1, 5, 6], "4d6min2 [1>2, 1>2, 5, 6] = 15"),
            ("5d10>=7f=1ss=10", &[10, 7, 1, 3, 1], "5d10>=7f=1ss=10 [10**, 7*, 1f, 3, 1f] = 1 success"),
            ("3d6sa", &[5, 1, 3], "3d6sa [1, 3, 5] = 9"),
            ("3d6sd", &[5, 1, 3], "3d6sd [5, 3, 1] = 9"),
            ("2d6!csd", &[1, 6, 2], "2d6!csd [6!, 2, 1] = 9"),
            ("(1d4)d6", &[2, 3, 5], "(1d4)d6 (1d4 [2]) [3, 5] = 8"),
            ("{2d6, 1d10}kh1", &[3, 4, 6], "{2d6 [3, 4], (1d10 [6])}kh1 = 7"),
            ("{5,1,3}sa", &[], "{1, 3, 5}sa = 9"),
            ("2 x 1d6+1", &[3, 4], "2 x {1d6 [3] + 1, 1d6 [4] + 1} = 4, 5"),
            ("(3 x 1d6)kh2", &[3, 4, 1], "(3 x {1d6 [3], 1d6 [4], 1d6 [1]})kh2 = 3, 4"),
            ("a := 1d6; a-a", &[4], "a := 1d6 [4]; a (4) - a (4) = 0"),
            ("1d20+$str", &[10], "1d20 [10] + $str (3) = 13"),
            ("if((1d20)>=10,1d6,1d8)", &[12, 4], "if((1d20 [12]) >= 10, 1d6 [4], 1d8) = 4"),
            ("if(0,1d6,2)", &[], "if(0, 1d6, 2) = 2"),
            ("-2^2", &[], "-2 ^ 2 = -4"),
            ("0d6", &[], "0d6 [] = 0"),
            ("1d8[fire]+2[cold]", &[8], "1d8[fire] [8] + 2[cold] = 10"),
            ("7/^2", &[], "7 /^ 2 = 4"),
            ("max(1d6,4)", &[3], "max(1d6 [3], 4) = 4"),
        ];
        for (text, dice, wanted) in cases {
            assert_eq!(roll(text, dice).plain(), *wanted, "{text}");
        }
    }

    #[test]
    fn a_result_says_what_it_counts() {
        let cases: &[(&str, &[i64], &str)] = &[
            ("3d10>=7", &[7, 8, 10], "3 successes"),
            ("3d10>=7", &[7, 1, 2], "1 success"),
            ("3d10>=7", &[1, 1, 2], "0 successes"),
            ("2d10>=7f=1", &[1, 1], "-2 successes"),
            ("{1d6,1d8}>=5", &[5, 8], "2 successes"),
            ("(2d10>=7)[fire] + 1", &[7, 1], "2 successes"),
            ("(2d10>=7) + (2d6>=5)", &[7, 1, 5, 5], "3 successes"),
            ("(2d10>=7) * 2", &[7, 7], "4"),
            ("(2d10>=7) + 1d6", &[7, 7, 3], "5"),
            ("2 x 2d10>=7", &[7, 7, 1, 8], "2, 1 successes"),
            ("(1d20+5)>=15", &[10], "yes"),
            ("(1d20+5)>=15", &[9], "no"),
            ("2 x (1d20)>=11", &[20, 3], "yes, no"),
            ("((1d20)>=11)+1", &[20], "2"),
        ];
        for (text, dice, wanted) in cases {
            let shown = roll(text, dice).plain();
            assert!(shown.ends_with(&format!(" = {wanted}")), "{text}: {shown}");
        }
    }

    #[test]
    fn labels_and_comments_stay_in_the_printed_line() {
        assert_eq!(roll("1d20 # hit the orc", &[14]).plain(), "1d20 [14] = 14 # hit the orc");
        assert_eq!(roll("1d8[a#b] + 1#x", &[8]).plain(), "1d8[a#b] [8] + 1 = 9 # x");
        assert_eq!(roll("a := 1d6; a # twice", &[3]).plain(), "a := 1d6 [3]; a (3) = 3 # twice");
        assert_eq!(roll("1d6 #", &[3]).plain(), "1d6 [3] = 3");
        assert_eq!(roll("1d6[fire] # \u{1b}[2J", &[3]).plain(), "1d6[fire] [3] = 3 # \\u{1b}[2J");
    }

    #[test]
    fn a_pool_too_big_to_read_is_cut() {
        let text = roll("1000d1", &[1; 1000]).plain();
        assert!(text.ends_with("1, … 900 more] = 1000"), "{text}");
    }

    #[test]
    fn markdown_strikes_the_dropped_and_escapes_what_is_written() {
        assert_eq!(roll("4d6kh3*2", &[1, 5, 3, 4]).markdown(), "4d6kh3 [~~1~~, 5, 3, 4] \\* 2 = **24**");
        assert_eq!(roll("2d6>=5", &[5, 1]).markdown(), "2d6\\>=5 [**5**, 1] = **1 success**");
        assert_eq!(roll("1d6[*a_b*]", &[5]).markdown(), "1d6[\\*a\\_b\\*] [5] = **5**");
    }

    #[test]
    fn colors_are_closed_again() {
        let text = roll("4d6kh3>=5", &[1, 5, 3, 4]).ansi();
        let opened = text.matches("\u{1b}[").count();
        assert_eq!(opened, 2 * text.matches("\u{1b}[0m").count(), "{text:?}");
        assert!(text.contains("\u{1b}[2;9m1\u{1b}[0m"), "{text:?}");
    }

    #[test]
    fn json_holds_total_text_dice_labels_and_the_tree() {
        let json = roll("2d6!o[fire]+1", &[6, 1, 2]).json();
        assert_eq!(json["total"], 10);
        assert_eq!(json["text"], "2d6!o[fire] [6!, 2, 1] + 1 = 10");
        assert_eq!(json["expression"], "2d6!o[fire]+1");
        assert_eq!(json["labels"], serde_json::json!({"fire": 9}));
        assert_eq!(json["dice"][2]["face"], 2);
        assert_eq!(json["dice"][2]["sides"], 6);
        assert_eq!(json["dice"][2]["chain"], 0);
        assert_eq!(json["dice"][2]["origin"], serde_json::json!({"added": {"to": 0, "by": [3, 5], "compound": false}}));
        assert_eq!(json["tree"]["at"], serde_json::json!([0, 13]));
        assert_eq!(json["tree"]["value"], 10);
        assert_eq!(roll("2 x 1d6", &[3, 4]).json()["total"], serde_json::json!([3, 4]));
    }
}
