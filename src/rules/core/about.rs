//! What a rule is, said once: the doc comment of its type is also the text that people are shown.

/// What a rule is, as [`rule!`](crate::rule) takes it from the doc comment of the rule's type.
pub trait About {
    /// The doc comment, line by line as it is written.
    const ABOUT: &'static str;
}

/// Declares the type of a rule. Its doc comment is the rule's text, for people who read the code and for those who ask
/// for help at the table: a first sentence that stands for the rule in lists, and more where there is more to say.
///
/// ```
/// grognard::rule! {
///     /// Leaps a chasm.
///     ///
///     /// Who fails falls.
///     pub struct Leap;
/// }
/// assert_eq!(grognard::rules::core::about::<Leap>(), "Leaps a chasm.\n\nWho fails falls.");
/// ```
#[macro_export]
macro_rules! rule {
    ($(#[doc = $line:literal])+ $visibility:vis struct $name:ident;) => {
        $(#[doc = $line])+
        $visibility struct $name;

        impl $crate::rules::core::About for $name {
            const ABOUT: &'static str = concat!($($line, "\n"),+);
        }
    };
}

/// The text of a rule: each paragraph of the doc comment on one line, an empty line between two.
#[must_use]
pub fn about<R: About>() -> String {
    let mut text = String::with_capacity(R::ABOUT.len());
    for line in R::ABOUT.lines().map(str::trim) {
        match line {
            "" => text.push_str("\n\n"),
            line => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                text.push_str(line);
            }
        }
    }
    text
}
