//! The referee who is lent to the machine for the time of a call.
//!
//! Whoever resolves a rule deals all its dice. When a house rule is written in Lua, the referee who calls it is lent to
//! the machine, and everything that the script rolls or resolves goes to that referee: its source, its trace, its
//! depth. While nobody is lent, scripts have the host's own dice.

use std::cell::Cell;
use std::ptr::NonNull;

use crate::rules::core::Referee;

/// Who deals the dice of a script.
#[derive(Clone, Copy, Default)]
enum Dealer {
    /// The host itself.
    #[default]
    Host,
    /// A referee, on the stack below.
    Lent(NonNull<Referee<'static>>),
    /// That referee, while it deals: nobody else has it meanwhile.
    Busy,
}

/// A place for the referee who is lent.
#[derive(Default)]
pub(crate) struct Lent(Cell<Dealer>);

/// Puts the dealer of before back, whatever happens.
struct PutBack<'l> {
    place: &'l Lent,
    before: Dealer,
}

impl Drop for PutBack<'_> {
    fn drop(&mut self) {
        self.place.0.set(self.before);
    }
}

/// What came of asking for the referee.
pub(crate) enum Asked<T> {
    /// A referee was lent, and this is what it said.
    Lent(T),
    /// Nobody is lent.
    Nobody,
    /// The referee is dealing a die just now, from a source that asks the script.
    Busy,
}

impl Lent {
    fn put(&self, dealer: Dealer) -> PutBack<'_> {
        PutBack { place: self, before: self.0.replace(dealer) }
    }

    /// Lends a referee for the time of a call.
    pub(crate) fn lend<T>(&self, referee: &mut Referee<'_>, call: impl FnOnce() -> T) -> T {
        let _back = self.put(Dealer::Lent(NonNull::from(referee).cast()));
        call()
    }

    /// Lends nobody for the time of a call: the host's own dice are in play.
    pub(crate) fn suspended<T>(&self, call: impl FnOnce() -> T) -> T {
        let _back = self.put(Dealer::Host);
        call()
    }

    /// Whether a referee is lent.
    #[inline]
    pub(crate) fn is_lent(&self) -> bool {
        !matches!(self.0.get(), Dealer::Host)
    }

    /// Something with the referee who is lent.
    #[inline]
    pub(crate) fn with<T>(&self, run: impl for<'r> FnOnce(&mut Referee<'r>) -> T) -> Asked<T> {
        match self.0.get() {
            Dealer::Host => Asked::Nobody,
            Dealer::Busy => Asked::Busy,
            Dealer::Lent(mut referee) => {
                let _back = self.put(Dealer::Busy);
                // SAFETY: the pointer is made from a unique reference in `lend`, which holds that reference until it has
                // put the dealer of before back; so it points to a living referee. Nobody else uses it meanwhile: who
                // lent it waits for the call, and the place says `Busy` until this returns. Its lifetime is forgotten,
                // and `run` takes any, so nothing of the referee's gets out and nothing shorter gets in.
                Asked::Lent(run(unsafe { referee.as_mut() }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Scripted;
    use crate::rules::core::House;

    fn face(lent: &Lent) -> Option<i64> {
        match lent.with(|referee| referee.d(6, "a test")) {
            Asked::Lent(face) => face.ok(),
            Asked::Nobody | Asked::Busy => None,
        }
    }

    #[test]
    fn the_referee_lent_last_deals_and_the_one_before_comes_back() {
        let (lent, house) = (Lent::default(), House::new());
        let (mut ones, mut sixes) = (Scripted::new(vec![1, 1]), Scripted::new(vec![6]));
        assert_eq!(face(&lent), None);
        let (mut outer, mut inner) = (Referee::new(&mut ones, &house), Referee::new(&mut sixes, &house));
        lent.lend(&mut outer, || {
            assert_eq!(face(&lent), Some(1));
            lent.lend(&mut inner, || assert_eq!(face(&lent), Some(6)));
            lent.suspended(|| assert_eq!(face(&lent), None));
            assert_eq!(face(&lent), Some(1));
        });
        assert!(!lent.is_lent());
    }

    #[test]
    fn a_referee_who_deals_is_not_given_to_another() {
        let (lent, house) = (Lent::default(), House::new());
        let mut dice = Scripted::new(vec![3]);
        let mut referee = Referee::new(&mut dice, &house);
        lent.lend(&mut referee, || {
            let inside = lent.with(|_| matches!(lent.with(|_| ()), Asked::Busy));
            assert!(matches!(inside, Asked::Lent(true)));
            assert_eq!(face(&lent), Some(3));
        });
    }
}
