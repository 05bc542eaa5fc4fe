//! What the parts of one host share: dice, house rules, voice, trace and budgets.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, MultiValue, Value as LuaValue};

use super::budget::{self, Meter, Spent};
use super::errors::{ScriptError, ScriptErrorKind};
use super::lent::{Asked, Lent};
use super::report::{self, Chunks};
use super::voice::{Voice, VoiceError};
use crate::dice::{DiceError, Die, Draw, Expression, NotationError, Params, RollValue, Source};
use crate::rules::core::{ErrorKind, House, Referee, RuleError, Step, Trace, Value};
use crate::world::{Id, Transaction, World};

/// How many people out of reach are remembered before those who are gone are left out.
const MOST_UNREACHABLE: usize = 20_000;

/// How many calls of scripts may stand inside one another. What calls itself without end is found long before
/// (see [`super::house`]); this many honest ones are more than the stack of a thread is made for.
const DEEPEST: u32 = 64;

/// How a script that is explored for its odds may look at its dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Every die is drawn singly.
    Faces,
    /// Sums are drawn in one step where they can be: the script has not looked at single dice.
    Totals,
    /// The same, but that pools are drawn as dice whose order does not matter: the script has looked at sorted dice.
    Sorted,
    /// Sums were drawn in one step, and the script looked at single dice all the same.
    Looked,
    /// The same, at sorted ones.
    LookedSorted,
}

/// The state of a host that its bindings reach.
pub(crate) struct Shared {
    pub(crate) source: RefCell<Box<dyn Source>>,
    pub(crate) house: RefCell<House>,
    /// Everybody who lasts.
    pub(crate) world: RefCell<World>,
    /// Those of the world whom no script can reach any more: they go when room is needed.
    unreachable: RefCell<Vec<Id>>,
    pub(crate) voice: RefCell<Box<dyn Voice>>,
    pub(crate) meter: Rc<Meter>,
    pub(crate) chunks: RefCell<Chunks>,
    pub(crate) tracing: Cell<bool>,
    /// Whether the machine failed inside, by a fault of ours.
    pub(crate) broken: Cell<bool>,
    /// The referee whose rule a script is part of.
    pub(crate) lent: Lent,
    /// How dice may be looked at while a script is explored; nothing while dice are real.
    pub(crate) look: Cell<Option<Look>>,
    trace: RefCell<Trace>,
    /// How many results have begun, so that a prompt can tell whether a line came to one.
    results: Cell<u64>,
    /// The error that the last guarded call ended with, written down while its stack still stood.
    report: RefCell<Option<ScriptError>>,
    /// The error of a house rule's script, on its way out through the rule that it belongs to.
    passing: RefCell<Option<ScriptError>>,
    guard: OnceCell<Guard>,
}

/// The machine's own `xpcall` and the handler that writes errors down.
struct Guard {
    xpcall: Function,
    handler: Function,
    lua: mlua::WeakLua,
}

impl Shared {
    pub(crate) fn new(source: Box<dyn Source>, voice: Box<dyn Voice>, meter: Rc<Meter>) -> Rc<Self> {
        Rc::new(Shared {
            source: RefCell::new(source),
            house: RefCell::default(),
            world: RefCell::default(),
            unreachable: RefCell::default(),
            voice: RefCell::new(voice),
            meter,
            chunks: RefCell::default(),
            tracing: Cell::new(false),
            broken: Cell::new(false),
            lent: Lent::default(),
            look: Cell::new(None),
            trace: RefCell::default(),
            results: Cell::new(0),
            report: RefCell::default(),
            passing: RefCell::default(),
            guard: OnceCell::new(),
        })
    }

    /// Keeps the machine's own `xpcall`, before scripts get theirs.
    pub(crate) fn keep_guard(self: &Rc<Self>, lua: &Lua) -> mlua::Result<()> {
        let xpcall: Function = lua.globals().get("xpcall")?;
        let shared = Rc::downgrade(self);
        let handler = lua.create_function(move |lua, problem: LuaValue| {
            if let Some(shared) = shared.upgrade() {
                let error = report::written_down(lua, &shared, &problem);
                shared.report.replace(Some(error));
            }
            Ok(())
        })?;
        // A second guard would be the same.
        let _ = self.guard.set(Guard { xpcall, handler, lua: lua.weak() });
        Ok(())
    }

    /// Calls a script's function for all that it returns.
    pub(crate) fn enter(&self, function: &Function, arguments: impl IntoLuaMulti) -> Result<MultiValue, ScriptError> {
        self.enter_for(function, arguments)
    }

    /// The one way into Lua: every call of a script's function goes through here, with its budgets and its errors.
    pub(crate) fn enter_for<R>(&self, function: &Function, arguments: impl IntoLuaMulti) -> Result<R, ScriptError>
    where
        (bool, R): FromLuaMulti,
    {
        if self.meter.spent().is_some_and(|spent| spent != Spent::Stopped) {
            let message = "this machine is dead: an earlier script spent its budget; start a new one";
            return Err(ScriptError::new(ScriptErrorKind::Dead, message));
        }
        if self.broken.get() {
            return Err(broken_machine());
        }
        let Some(guard) = self.guard.get() else {
            return Err(ScriptError::new(ScriptErrorKind::Dead, "this machine was never started"));
        };
        if self.meter.entered() >= DEEPEST {
            let message = format!("scripts and house rules call each other {DEEPEST} deep; does one call itself?");
            return Err(ScriptError::new(ScriptErrorKind::Runtime, message));
        }
        let _entered = self.meter.enter();
        self.report.replace(None);
        let call = || guard.xpcall.call::<(bool, R)>((function, &guard.handler, arguments));
        // A fault of ours must not take the program along; the machine may be in any state afterwards.
        let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
        let report = self.report.replace(None);
        let Ok(called) = called else {
            self.broken.set(true);
            return Err(broken_machine());
        };
        match called {
            // A budget spent in the last steps of a script that ended all the same is still spent.
            Ok((true, results)) if self.meter.spent().is_none() => Ok(results),
            Ok(_) => Err(self.ended(report, None)),
            Err(error) => Err(self.ended(report, Some(&error))),
        }
    }

    /// The error that a call ended with.
    fn ended(&self, report: Option<ScriptError>, error: Option<&mlua::Error>) -> ScriptError {
        // With the memory full, not even the report could be written.
        if error.is_some_and(report::is_memory) || (report.is_none() && self.is_almost_full()) {
            self.meter.spend(Spent::Memory);
        }
        if let Some(spent) = self.meter.spent() {
            let mut ended = spent.error(self.meter.limits());
            if let Some(report) = report {
                ended.take_place_of(&report);
            }
            return ended;
        }
        report.unwrap_or_else(|| {
            let message = error.map_or_else(|| "the script failed while it failed".to_owned(), report::plain_text);
            ScriptError::new(ScriptErrorKind::Runtime, message)
        })
    }

    fn is_almost_full(&self) -> bool {
        let used = self.guard.get().and_then(|guard| guard.lua.try_upgrade()).map_or(0, |lua| lua.used_memory());
        used > self.meter.limits().memory / 8 * 7
    }

    /// Charges a native for work.
    pub(crate) fn charge(&self, steps: u64) -> Result<(), ScriptError> {
        if self.meter.charge(steps) { Ok(()) } else { Err(self.spent_error()) }
    }

    /// The error of the budget that is spent.
    pub(crate) fn spent_error(&self) -> ScriptError {
        self.meter.spent().unwrap_or(Spent::Stopped).error(self.meter.limits())
    }

    /// Talks to the table; the clock stands still meanwhile.
    pub(crate) fn table_talk<T>(
        &self,
        talk: impl FnOnce(&mut dyn Voice) -> Result<T, VoiceError>,
    ) -> Result<T, ScriptError> {
        if self.look.get().is_some() {
            let message = "nobody can be spoken to while odds are worked out: the function runs for every outcome of \
                           its dice";
            let hint = "let the function return what it would say, and say it once the odds are known";
            return Err(ScriptError::new(ScriptErrorKind::Voice, message).with_hint(hint));
        }
        let Ok(mut voice) = self.voice.try_borrow_mut() else {
            return Err(ScriptError::new(ScriptErrorKind::Voice, "the table is being asked something else"));
        };
        self.meter.while_waiting(|| talk(voice.as_mut())).map_err(|error| {
            if matches!(error, VoiceError::Stopped(_)) {
                self.meter.spend(Spent::Stopped);
                return self.spent_error();
            }
            ScriptError::new(ScriptErrorKind::Voice, error.to_string())
        })
    }

    // ---- the world ----

    /// Notes that no script can reach somebody any more.
    pub(crate) fn out_of_reach(&self, id: Id) {
        let mut unreachable = self.unreachable.borrow_mut();
        // Those who came and went while odds were worked out are not remembered for ever.
        if unreachable.len() >= MOST_UNREACHABLE
            && let Ok(world) = self.world.try_borrow()
        {
            unreachable.retain(|id| world.record(*id).is_ok());
        }
        unreachable.push(id);
    }

    /// Lets those go whom no script can reach any more.
    pub(crate) fn let_go(&self) {
        let mut world = self.world.borrow_mut();
        for id in self.unreachable.take() {
            // Somebody whose making was undone is gone already.
            let _ = world.remove(id);
        }
    }

    /// Runs something that must harm nobody: afterwards the world is what it was.
    pub(crate) fn harmless<T>(&self, run: impl FnOnce() -> T) -> T {
        let transaction = self.world.borrow_mut().begin();
        let _rolled_back = RolledBack { shared: self, transaction };
        run()
    }

    // ---- rules and rolls ----

    /// Resolves a rule on plain data with this host's dice, house rules and trace.
    pub(crate) fn resolve(self: &Rc<Self>, name: &str, arguments: Value) -> Result<Value, ScriptError> {
        self.with_referee(|referee| referee.resolve(name, arguments))
    }

    /// Runs something with the referee who is lent, or with one who has this host's dice, house rules and trace.
    pub(crate) fn with_referee<T>(
        &self,
        run: impl FnOnce(&mut Referee<'_>) -> Result<T, RuleError>,
    ) -> Result<T, ScriptError> {
        // Whichever referee there is runs it.
        let run = Cell::new(Some(run));
        let once = |referee: &mut Referee<'_>| run.take().map_or_else(|| Err(being_drawn().into()), |run| run(referee));
        let result = match self.lent.with(once) {
            Asked::Lent(result) => result,
            Asked::Busy => Err(being_drawn().into()),
            Asked::Nobody => self.with_own_referee(once),
        };
        result.map_err(|error| self.passed_on(error))
    }

    /// A new result of this host's begins.
    fn with_own_referee<T>(&self, run: impl FnOnce(&mut Referee<'_>) -> Result<T, RuleError>) -> Result<T, RuleError> {
        let house = self.house.borrow();
        let mut source = OwnDice(self);
        let mut referee = Referee::new(&mut source, &house);
        if self.tracing.get() {
            self.trace.borrow_mut().steps.clear();
            self.results.set(self.results.get() + 1);
            referee = referee.tracing(&self.trace);
        }
        if self.draws_totals() {
            referee = referee.only_totals();
        }
        run(&mut referee)
    }

    /// Whether sums of dice are drawn in one step, because a script is explored that has not looked at single dice.
    pub(crate) fn draws_totals(&self) -> bool {
        !matches!(self.look.get(), None | Some(Look::Faces))
    }

    /// Runs something with other dice than the table's, which come back whatever happens. Nothing is traced meanwhile.
    pub(crate) fn with_dice<T>(
        &self,
        dice: Box<dyn Source>,
        look: Look,
        run: impl FnOnce() -> T,
    ) -> Result<T, ScriptError> {
        let Ok(mut source) = self.source.try_borrow_mut() else {
            return Err(ScriptError::new(ScriptErrorKind::Runtime, "dice are being drawn already"));
        };
        let own = std::mem::replace(&mut *source, dice);
        drop(source);
        let _put_back = PutBack {
            shared: self,
            dice: Some(own),
            look: self.look.replace(Some(look)),
            tracing: self.tracing.replace(false),
        };
        Ok(self.lent.suspended(run))
    }

    /// Whether what a script rolls is traced.
    pub(crate) fn keeps_trace(&self) -> bool {
        match self.lent.with(|referee| referee.keeps_trace()) {
            Asked::Lent(keeps) => keeps,
            Asked::Busy => false,
            Asked::Nobody => self.tracing.get(),
        }
    }

    /// Writes a step into the trace of whoever deals the script's dice, when one is kept.
    #[inline]
    pub(crate) fn note(&self, step: impl FnOnce() -> Step) {
        if self.tracing.get() || self.lent.is_lent() {
            self.note_all(|| std::iter::once(step()));
        }
    }

    /// Writes several steps into it.
    fn note_all<I: IntoIterator<Item = Step>>(&self, steps: impl FnOnce() -> I) {
        if !self.keeps_trace() {
            return;
        }
        let steps = steps();
        if self.lent.is_lent() {
            self.lent.with(|referee| referee.note_steps(steps));
        } else {
            let mut trace = self.trace.borrow_mut();
            trace.steps.clear();
            trace.note_all(steps);
        }
    }

    /// Writes a roll of notation into the trace: what was rolled, and the dice that were drawn past the referee.
    pub(crate) fn note_roll(&self, text: &str, draws: &[Draw]) {
        let step = |draw: &Draw| {
            let Draw { sides, count, face, ref purpose } = *draw;
            let purpose = purpose.clone();
            if count == 1 {
                Step::Draw { sides, face, purpose }
            } else {
                Step::Sum { count, sides, total: face, purpose }
            }
        };
        self.note_all(|| std::iter::once(Step::Note(text.to_owned())).chain(draws.iter().map(step)));
    }

    /// How many results have been traced since the host was made.
    pub(crate) fn results(&self) -> u64 {
        self.results.get()
    }

    pub(crate) fn trace(&self) -> Option<Trace> {
        let trace = self.trace.borrow();
        (!trace.steps.is_empty()).then(|| trace.clone())
    }

    /// A script's error as a rule passes it on: the sentence goes along, the place waits here.
    pub(crate) fn pass_on(&self, error: ScriptError) -> RuleError {
        let rule_error = RuleError::general(ErrorKind::Script, error.message());
        self.passing.replace(Some(error));
        rule_error
    }

    /// A rule's error, with the place of the script that caused it when one did.
    pub(crate) fn passed_on(&self, error: RuleError) -> ScriptError {
        let passing = self.passing.replace(None);
        match passing {
            Some(mut script) if error.kind() == ErrorKind::Script && error.to_string().ends_with(script.message()) => {
                script.parts_mut().message = error.to_string();
                script
            }
            _ => error.into(),
        }
    }
}

/// Rolls the world back, whatever happens.
struct RolledBack<'s> {
    shared: &'s Shared,
    transaction: Transaction,
}

impl Drop for RolledBack<'_> {
    fn drop(&mut self) {
        self.shared.world.borrow_mut().roll_back(self.transaction);
    }
}

/// Puts the table's dice back.
struct PutBack<'s> {
    shared: &'s Shared,
    dice: Option<Box<dyn Source>>,
    look: Option<Look>,
    tracing: bool,
}

impl Drop for PutBack<'_> {
    fn drop(&mut self) {
        if let Some(dice) = self.dice.take() {
            self.shared.source.replace(dice);
        }
        self.shared.look.set(self.look);
        self.shared.tracing.set(self.tracing);
    }
}

/// The error of a machine that failed inside.
fn broken_machine() -> ScriptError {
    let message = "the scripting machine failed inside, by a fault of this program; start a new one";
    ScriptError::new(ScriptErrorKind::Dead, message).with_hint("please report the script that did it")
}

/// Dice are asked for by what deals them.
fn being_drawn() -> DiceError {
    DiceError::Limit("dice are being drawn already".to_owned())
}

/// Charges for dice: each costs a step, so that no rule draws without end.
fn paid(dice: usize) -> Result<(), DiceError> {
    if budget::charge(dice as u64) {
        return Ok(());
    }
    Err(DiceError::Limit("the script was stopped while dice were drawn".to_owned()))
}

impl Shared {
    /// A draw from the host's own dice.
    fn own_dice<T>(&self, draw: impl FnOnce(&mut dyn Source) -> Result<T, DiceError>) -> Result<T, DiceError> {
        match self.source.try_borrow_mut() {
            Ok(mut source) => draw(source.as_mut()),
            Err(_) => Err(being_drawn()),
        }
    }
}

/// The host's own dice, as its own referee draws them.
struct OwnDice<'a>(&'a Shared);

impl OwnDice<'_> {
    fn with<T>(&self, dice: usize, draw: impl FnOnce(&mut dyn Source) -> Result<T, DiceError>) -> Result<T, DiceError> {
        paid(dice)?;
        self.0.own_dice(draw)
    }
}

/// The dice of scripts: those of the referee who is lent, or the host's own.
pub(crate) struct SharedSource<'a>(pub(crate) &'a Shared);

impl SharedSource<'_> {
    fn with<T>(&self, dice: usize, draw: impl FnOnce(&mut dyn Source) -> Result<T, DiceError>) -> Result<T, DiceError> {
        paid(dice)?;
        let lent = &self.0.lent;
        if !lent.is_lent() {
            return self.0.own_dice(draw);
        }
        match lent.with(|referee| draw(referee.source())) {
            Asked::Lent(drawn) => drawn,
            Asked::Nobody | Asked::Busy => Err(being_drawn()),
        }
    }
}

macro_rules! draws {
    ($($dice:ident)*) => {$(
        impl Source for $dice<'_> {
            #[inline]
            fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
                self.with(1, |source| source.draw(die, purpose))
            }
            fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
                self.with(faces.len(), |source| source.fill(die, purpose, faces))
            }
            fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
                self.with(count as usize, |source| source.sum(die, count, purpose))
            }
            fn sorted(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
                self.with(faces.len(), |source| source.sorted(die, purpose, faces))
            }
            fn value_of(&mut self, expression: &Expression, params: &Params) -> Result<RollValue, NotationError> {
                if !self.0.draws_totals() {
                    // Each die costs a step here; the source alone would deal them for nothing.
                    return expression.total(self, params);
                }
                let value = self.with(1, |source| Ok(source.value_of(expression, params)));
                value.unwrap_or_else(|error| Err(NotationError::no_die(&error, expression.text())))
            }
        }
    )*};
}

draws!(OwnDice SharedSource);

/// Dice that people roll by hand: the clock stands still while they do.
pub(crate) struct ByHand {
    pub(crate) inner: Box<dyn Source>,
    pub(crate) meter: Rc<Meter>,
}

impl Source for ByHand {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.meter.while_waiting(|| self.inner.draw(die, purpose))
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.meter.while_waiting(|| self.inner.fill(die, purpose, faces))
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        self.meter.while_waiting(|| self.inner.sum(die, count, purpose))
    }
}
