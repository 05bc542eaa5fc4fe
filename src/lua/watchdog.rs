//! The clock outside: one thread that raises a flag when a script's time is up.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Somebody broke off.
pub(crate) const STOP: u32 = 1;
/// The time is up.
pub(crate) const TIME: u32 = 2;
/// Much has been allocated: look whether garbage should go.
pub(crate) const LOOK: u32 = 4;

/// How exactly time limits are kept.
const TICK: Duration = Duration::from_millis(10);

/// Not armed.
const NEVER: u64 = u64::MAX;

/// The flags of one machine, and when its time is up.
#[derive(Debug)]
pub(crate) struct Watch {
    flags: AtomicU32,
    /// Milliseconds since the watchdog began.
    deadline: AtomicU64,
}

impl Watch {
    pub(crate) fn new() -> Arc<Self> {
        let watch = Arc::new(Watch { flags: AtomicU32::new(0), deadline: AtomicU64::new(NEVER) });
        let dog = watchdog();
        dog.watches.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&watch));
        watch
    }

    #[inline]
    pub(crate) fn is_raised(&self, flags: u32) -> bool {
        self.flags.load(Ordering::Relaxed) & flags != 0
    }

    pub(crate) fn raise(&self, flags: u32) {
        self.flags.fetch_or(flags, Ordering::Relaxed);
    }

    pub(crate) fn lower(&self, flags: u32) {
        self.flags.fetch_and(!flags, Ordering::Relaxed);
    }

    /// Raises [`TIME`] after so long.
    pub(crate) fn arm(&self, time: Duration) {
        let dog = watchdog();
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(NEVER / 2);
        self.deadline.store(dog.now().saturating_add(milliseconds), Ordering::SeqCst);
        if dog.sleeps.load(Ordering::SeqCst) {
            let _watches = dog.watches.lock().unwrap_or_else(PoisonError::into_inner);
            dog.wake.notify_one();
        }
    }

    pub(crate) fn disarm(&self) {
        self.deadline.store(NEVER, Ordering::SeqCst);
    }

    /// Stops the clock and returns the time that is left, when it was running.
    pub(crate) fn suspend(&self) -> Option<Duration> {
        let deadline = self.deadline.swap(NEVER, Ordering::SeqCst);
        (deadline != NEVER).then(|| Duration::from_millis(deadline.saturating_sub(watchdog().now())))
    }

    /// Lets the clock run on.
    pub(crate) fn resume(&self, left: Option<Duration>) {
        if let Some(left) = left {
            self.arm(left);
        }
    }
}

struct Watchdog {
    began: Instant,
    watches: Mutex<Vec<Weak<Watch>>>,
    wake: Condvar,
    sleeps: AtomicBool,
}

impl Watchdog {
    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(NEVER / 2)
    }

    /// Raises what is due. Returns whether anything is armed.
    fn look(&self, watches: &mut Vec<Weak<Watch>>) -> bool {
        let now = self.now();
        let mut armed = false;
        watches.retain(|watch| {
            let Some(watch) = watch.upgrade() else { return false };
            match watch.deadline.load(Ordering::SeqCst) {
                NEVER => {}
                deadline if deadline <= now => watch.raise(TIME),
                _ => armed = true,
            }
            true
        });
        armed
    }

    fn guard(&self) {
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Said before looking, so that a machine which arms meanwhile knows that it must wake us.
            self.sleeps.store(true, Ordering::SeqCst);
            if self.look(&mut watches) {
                self.sleeps.store(false, Ordering::SeqCst);
                watches = self.wake.wait_timeout(watches, TICK).unwrap_or_else(PoisonError::into_inner).0;
            } else {
                watches = self.wake.wait(watches).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

fn watchdog() -> &'static Watchdog {
    static DOG: OnceLock<Watchdog> = OnceLock::new();
    static THREAD: OnceLock<bool> = OnceLock::new();
    let dog = DOG.get_or_init(|| Watchdog {
        began: Instant::now(),
        watches: Mutex::default(),
        wake: Condvar::new(),
        sleeps: AtomicBool::new(false),
    });
    // Where no thread can be had, the budget of steps still holds.
    THREAD.get_or_init(|| thread::Builder::new().name("watchdog".into()).spawn(|| watchdog().guard()).is_ok());
    dog
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_goes_up_when_the_time_is_over_and_not_while_suspended() {
        let watch = Watch::new();
        watch.arm(Duration::from_millis(20));
        let left = watch.suspend();
        thread::sleep(Duration::from_millis(80));
        assert!(!watch.is_raised(TIME));
        watch.resume(left);
        thread::sleep(Duration::from_millis(200));
        assert!(watch.is_raised(TIME));
    }
}
