//! Runs that differ from each other, with or without a regression: what the host writes into
//! memory replaces the plan.

use crate::KERNEL;
use crate::threads::{DECODER, TABLE, work};
use boot::HostWords;
use core::sync::atomic::{AtomicU32, Ordering};
use truth::camera::Regression;

/// The seed of the random numbers, and a [`Regression`].
#[unsafe(no_mangle)]
#[unsafe(link_section = ".noinit")]
static VARIATION: HostWords<2> = HostWords::new();

/// The priority of the decoder with [`Regression::Priority`].
const DROPPED_PRIORITY: u8 = 24;

/// A thread that disturbs frames now and then.
pub(crate) enum Background {
    Network,
    Storage,
    Statistics,
}

/// Changes priorities before the kernel starts.
pub(crate) fn apply() {
    if has(Regression::Priority) {
        if let Some(decoder) = KERNEL.threads().get(DECODER) {
            decoder.set_priority(DROPPED_PRIORITY);
        }
    }
}

/// Runs a thread of the background for ever; returns if runs do not vary.
pub(crate) fn run(background: Background) {
    while VARIATION.get().is_some() {
        match background {
            Background::Network => {
                KERNEL.sleep(25);
                work(vary(400, 50));
            }
            Background::Storage => {
                KERNEL.sleep(20);
                let microseconds = if has(Regression::CriticalSection) {
                    400
                } else {
                    100
                };
                let microseconds = vary(microseconds, 20);
                KERNEL.critical(kernel::address_here(), || work(microseconds));
            }
            Background::Statistics => {
                KERNEL.sleep(7);
                TABLE.with(&KERNEL, || work(vary(300, 50)));
                work(vary(1_500, 20));
            }
        }
    }
}

/// The microseconds that the decoder takes for a frame.
pub(crate) fn decoder_time(microseconds: u32) -> u32 {
    vary(microseconds, if has(Regression::Jitter) { 60 } else { 10 })
}

/// The microseconds that the filter takes for a frame.
pub(crate) fn filter_time(microseconds: u32) -> u32 {
    let longer = if has(Regression::Stage) {
        microseconds / 3
    } else {
        0
    };
    vary(microseconds + longer, 10)
}

fn has(regression: Regression) -> bool {
    VARIATION
        .get()
        .is_some_and(|[_, wanted]| wanted == regression as u32)
}

/// Changes a duration by up to this percentage at random, if runs vary.
fn vary(microseconds: u32, percent: u32) -> u32 {
    static STATE: AtomicU32 = AtomicU32::new(0);
    let Some([seed, _]) = VARIATION.get() else {
        return microseconds;
    };
    // Marsaglia's xorshift. A preempted thread may use a number twice, which is random enough.
    let mut state = match STATE.load(Ordering::Relaxed) {
        0 => seed.wrapping_mul(0x9E37_79B9) | 1,
        state => state,
    };
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    STATE.store(state, Ordering::Relaxed);
    let spread = microseconds * percent / 100;
    microseconds - spread + state % (2 * spread | 1)
}
