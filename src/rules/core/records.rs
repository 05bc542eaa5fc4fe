//! Records that have fields in common, listed once.

/// Declares the arguments or outcomes of rules that have fields in common. The common ones stand once, in braces before
/// the records; each record says with `..` where among its own they come. serde's `flatten` would share fields too, and
/// lose the path of an error.
///
/// ```text
/// records! {
///     common {
///         /// Hit points after it.
///         pub hp: i64,
///     }
///     /// How the blow went.
///     pub struct BlowOutcome { .. { /// Whether it hit.
///         pub hit: bool, } }
/// }
/// ```
macro_rules! records {
    (common $common:tt $($(#[$about:meta])* pub struct $name:ident { $before:tt .. $after:tt })+) => {
        $(records! { @one $common $(#[$about])* pub struct $name $before $after })+
    };
    (@one { $($common:tt)* } $(#[$about:meta])* pub struct $name:ident { $($before:tt)* } { $($after:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub struct $name { $($before)* $($common)* $($after)* }
    };
}
