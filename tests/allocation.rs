//! The native path of a whole attack takes nothing from the heap when nobody keeps a trace.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use grognard::dice::{Random, Seed};
use grognard::rules::attack::{Resolve, ResolveArgs};
use grognard::rules::core::{House, Referee, Value, read};

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts what this thread takes from the heap.
struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; the counter is a plain cell of the thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn an_attack_without_a_trace_allocates_nothing() {
    let house = House::new();
    let json = r#"{"ac":15,"damage":"1d8","attack_bonus":3,"str_mod":1}"#;
    let args: ResolveArgs = read(&serde_json::from_str::<Value>(json).unwrap()).unwrap();
    let mut source = Random::new(Seed::of_text("allocation"));
    // The tables of figures are loaded once, at their first use.
    for _ in 0..2_000 {
        Referee::new(&mut source, &house).call::<Resolve>(args.clone()).unwrap();
    }
    let (mut hits, mut plain) = (0, 0);
    for _ in 0..2_000 {
        let before = TAKEN.get();
        let outcome = Referee::new(&mut source, &house).call::<Resolve>(args.clone()).unwrap();
        let taken = TAKEN.get() - before;
        // The words of a fumble or a condition are text, which a house may add to, and live on the heap.
        if outcome.fumble.is_none() && outcome.critical.is_none() {
            assert_eq!(taken, 0, "an attack that rolled {} took {taken} pieces", outcome.roll);
            plain += 1;
            hits += i64::from(outcome.hit);
        }
    }
    assert!(plain > 1_000 && hits > 100, "{plain} plain attacks, {hits} hits");
}
