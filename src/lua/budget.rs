//! Budgets: steps, time, memory and output, and the stop from outside.
//!
//! The machine calls [`at_safepoint`] at every turn of a loop, call and return. It counts down the steps, which makes
//! their budget the same on every machine, and looks at one flag, which a watchdog thread raises when the time is up
//! and a [`StopHandle`](super::StopHandle) when somebody breaks off. Natives that work long charge for it. A budget that
//! is spent stays spent: every later safepoint raises again, so that no `pcall` gets anywhere.
//!
//! The interrupt is set through mlua's raw interface, because mlua's own costs ten times a turn of a loop (it catches
//! panics and reserves an error each time).

use std::cell::Cell;
use std::ffi::c_void;
use std::os::raw::c_int;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use mlua::ffi;

use super::errors::{ScriptError, ScriptErrorKind};
use super::limits::Limits;
use super::watchdog::{LOOK, STOP, TIME, Watch};

/// A meter that will never again allow a step.
const NOTHING: i64 = i64::MIN / 2;

/// What ended the script that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    Instructions,
    Time,
    Memory,
    Output,
    /// Stopped from outside: over when the call from outside is.
    Stopped,
}

impl Spent {
    fn sentence(self, limits: &Limits) -> String {
        match self {
            Spent::Instructions => format!("the script was stopped after {} steps", limits.instructions),
            Spent::Time => format!("the script was stopped: {:?} are over", limits.time),
            Spent::Memory => format!("the script was stopped: it needs more than {} MB", limits.memory >> 20),
            Spent::Output => format!("the script was stopped: it said more than {} KB", limits.output >> 10),
            Spent::Stopped => "stopped".to_owned(),
        }
    }

    /// The error that a person reads.
    pub(crate) fn error(self, limits: &Limits) -> ScriptError {
        let (kind, hint) = match self {
            Spent::Instructions => (ScriptErrorKind::Instructions, "is there a loop without an end?"),
            Spent::Time => (ScriptErrorKind::Time, "is there a loop without an end? --time-limit allows more"),
            Spent::Memory => {
                (ScriptErrorKind::Memory, "does a table or text grow without end? --memory-limit allows more")
            }
            Spent::Output => (ScriptErrorKind::Output, "does a loop say things without end?"),
            Spent::Stopped => return ScriptError::new(ScriptErrorKind::Stopped, self.sentence(limits)),
        };
        ScriptError::new(kind, self.sentence(limits)).with_hint(hint)
    }
}

/// Counts what the scripts of one machine spend.
pub(crate) struct Meter {
    left: Cell<i64>,
    spent: Cell<Option<Spent>>,
    said: Cell<usize>,
    allocated: Cell<usize>,
    look_at: Cell<usize>,
    entered: Cell<u32>,
    limits: Limits,
    watch: Arc<Watch>,
}

thread_local! {
    /// The meter of the machine that runs on this thread now; null while none does.
    static RUNNING: Cell<*const Meter> = const { Cell::new(ptr::null()) };
}

/// A machine is running; dropping this ends it.
pub(crate) struct Entered {
    meter: Rc<Meter>,
    outer: *const Meter,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Rc<Self> {
        Rc::new(Meter {
            left: Cell::new(0),
            spent: Cell::new(None),
            said: Cell::new(0),
            allocated: Cell::new(0),
            look_at: Cell::new(limits.memory / 8),
            entered: Cell::new(0),
            limits,
            watch: Watch::new(),
        })
    }

    pub(crate) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What ended the script, if anything did.
    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }

    /// How many calls into the machine are under way.
    pub(crate) fn entered(&self) -> u32 {
        self.entered.get()
    }

    /// Begins a call from outside. The outermost starts with full budgets.
    pub(crate) fn enter(self: &Rc<Self>) -> Entered {
        if self.entered.get() == 0 && self.spent.get().is_none() {
            self.left.set(i64::try_from(self.limits.instructions).unwrap_or(i64::MAX));
            self.said.set(0);
            // A stop that came while nothing ran was meant for nothing.
            self.watch.lower(STOP | TIME);
            self.watch.arm(self.limits.time);
        }
        self.entered.set(self.entered.get() + 1);
        let outer = RUNNING.replace(Rc::as_ptr(self));
        Entered { meter: Rc::clone(self), outer }
    }

    /// Ends the script: nothing runs any more.
    pub(crate) fn spend(&self, what: Spent) {
        if self.spent.get().is_none() {
            self.spent.set(Some(what));
        }
        self.left.set(NOTHING);
    }

    /// Charges for long work. Returns whether work may go on.
    #[inline]
    pub(crate) fn charge(&self, steps: u64) -> bool {
        let left = self.left.get() - i64::try_from(steps).unwrap_or(i64::MAX / 4);
        self.left.set(left.max(NOTHING));
        (left >= 0 && !self.watch.is_raised(STOP | TIME)) || self.judge()
    }

    /// Charges for bytes said.
    pub(crate) fn charge_output(&self, bytes: usize) -> bool {
        self.said.set(self.said.get().saturating_add(bytes));
        if self.said.get() > self.limits.output {
            self.spend(Spent::Output);
        }
        self.spent.get().is_none()
    }

    /// Finds out what is spent, when something may be. Returns whether work may go on.
    #[cold]
    fn judge(&self) -> bool {
        if self.spent.get().is_none() {
            if self.watch.is_raised(STOP) {
                self.spend(Spent::Stopped);
            } else if self.watch.is_raised(TIME) {
                self.spend(Spent::Time);
            } else if self.left.get() < 0 {
                self.spend(Spent::Instructions);
            }
        }
        self.spent.get().is_none()
    }

    /// Lets people answer without the clock running.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        let left = self.watch.suspend();
        let answer = wait();
        self.watch.resume(left);
        answer
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        RUNNING.set(self.outer);
        let meter = &self.meter;
        meter.entered.set(meter.entered.get() - 1);
        if meter.entered.get() == 0 {
            meter.watch.disarm();
            if meter.spent.get() == Some(Spent::Stopped) {
                meter.spent.set(None);
            }
        }
    }
}

/// Charges the machine that runs on this thread. Returns whether work may go on.
#[inline]
pub(crate) fn charge(steps: u64) -> bool {
    let meter = RUNNING.get();
    // SAFETY: the pointer is that of a meter which the `Entered` on the stack keeps alive.
    meter.is_null() || unsafe { &*meter }.charge(steps)
}

/// Raises the error of a spent budget.
///
/// # Safety
/// `state` is a running state of the machine, and no Rust value on the stack above it waits to be dropped.
pub(crate) unsafe fn raise_spent(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as for the function; one free slot is made first because an interrupt may find the stack full.
    unsafe {
        ffi::lua_rawcheckstack(state, 2);
        ffi::lua_pushstring(state, c"the script was stopped".as_ptr());
        ffi::lua_error(state)
    }
}

/// Sets the machine's callbacks and its memory limit.
pub(crate) fn install(lua: &mlua::Lua, meter: &Rc<Meter>) -> mlua::Result<()> {
    lua.set_memory_limit(meter.limits.memory)?;
    // SAFETY: the callbacks are plain functions that live as long as the program; they find their meter by thread.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            let callbacks = ffi::lua_callbacks(state);
            (*callbacks).interrupt = Some(at_safepoint);
            (*callbacks).onallocate = Some(at_allocation);
        })
    }
}

unsafe extern "C-unwind" fn at_safepoint(state: *mut ffi::lua_State, gc: c_int) {
    // Collections are part of the allocation that caused them, and an error must not pass through one.
    if gc >= 0 {
        return;
    }
    let meter = RUNNING.get();
    if meter.is_null() {
        return;
    }
    // SAFETY: the pointer is that of a meter which the `Entered` on the stack keeps alive.
    let meter = unsafe { &*meter };
    let left = meter.left.get() - 1;
    meter.left.set(left);
    if left < 0 || meter.watch.is_raised(STOP | TIME | LOOK) {
        // SAFETY: `state` runs, and nothing here waits to be dropped.
        unsafe { decide(meter, state) };
    }
}

#[cold]
unsafe fn decide(meter: &Meter, state: *mut ffi::lua_State) {
    if !meter.judge() {
        // SAFETY: passed on from the safepoint.
        unsafe { raise_spent(state) };
    }
    if meter.watch.is_raised(LOOK) {
        meter.watch.lower(LOOK);
        // SAFETY: a safepoint allows a collection, as an allocation at this place would.
        unsafe { make_room(meter, state) };
    }
}

/// The machine collects garbage at its own pace and fails an allocation that passes the limit, collected or not. So
/// garbage is collected at once when the limit comes near.
unsafe fn make_room(meter: &Meter, state: *mut ffi::lua_State) {
    let limit = meter.limits.memory;
    // SAFETY: passed on from the safepoint.
    unsafe {
        if ffi::lua_totalbytes(state, -1) > limit / 4 * 3 {
            ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
        }
        let room = limit.saturating_sub(ffi::lua_totalbytes(state, -1));
        meter.look_at.set(meter.allocated.get().saturating_add((room / 2).max(limit / 32)));
    }
}

/// Allocations cost no steps: how many there are depends on the collector, and steps are the same everywhere.
unsafe extern "C-unwind" fn at_allocation(
    _: *mut ffi::lua_State,
    _: *mut c_void,
    old: usize,
    new: usize,
    _: u8,
    _: c_int,
    _: c_int,
) {
    let meter = RUNNING.get();
    if meter.is_null() {
        return;
    }
    // SAFETY: the pointer is that of a meter which the `Entered` on the stack keeps alive.
    let meter = unsafe { &*meter };
    let grown = new.saturating_sub(old);
    let allocated = meter.allocated.get().wrapping_add(grown);
    meter.allocated.set(allocated);
    if allocated >= meter.look_at.get() {
        meter.watch.raise(LOOK);
    }
}

/// Ends the script that runs on this thread.
pub(crate) fn spend_running(what: Spent) {
    let meter = RUNNING.get();
    if !meter.is_null() {
        // SAFETY: the pointer is that of a meter which the `Entered` on the stack keeps alive.
        unsafe { &*meter }.spend(what);
    }
}
