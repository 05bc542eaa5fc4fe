//! How much one expression may ask for.

/// Limits on one expression and one roll. A host may set them lower; passing one is an error, never a silent stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Characters of the text.
    pub length: usize,
    /// Brackets, groups, calls, signs and powers within each other. More than 128 is taken as 128.
    pub nesting: u32,
    /// Dice drawn in one roll, rerolls and added dice included.
    pub draws: u64,
    /// Dice added to one die.
    pub added: u64,
    /// Faces listed in `d[ … ]`.
    pub faces: usize,
    /// Members of a list.
    pub members: u64,
}

impl Limits {
    /// The limits of the notation.
    pub const DEFAULT: Limits =
        Limits { length: 4_096, nesting: 128, draws: 1_000_000, added: 1_000, faces: 10_000, members: 10_000 };

    /// Steps that one roll may take without drawing: nodes read in a repeat, dice looked at by an operator. Far beyond
    /// anything written at a table; it keeps `sum(9999 x sum(9999 x 1))` from holding the game up.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.draws.saturating_mul(8).max(400_000)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
