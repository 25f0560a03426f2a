//! The tasks.

use crate::counting::{self, Counted};
use crate::signal::Signal;
use crate::transport;
use crate::{STREAM, TASKS};
use core::future::poll_fn;
use core::task::Poll;
use embassy_executor::{SendSpawner, SpawnError, SpawnToken, Spawner};

/// The numbers of the tasks.
pub(crate) const NAMES: [&str; 4] = ["sampler", "filter", "logger", "sender"];
const SAMPLER: usize = 0;
const FILTER: usize = 1;
const LOGGER: usize = 2;
const SENDER: usize = 3;

/// The marker of a filtered frame; its value is the frame's number.
pub(crate) const FRAME: u32 = 3;

/// Samples in a frame.
const FRAME_SAMPLES: u32 = 3;

/// Microseconds that tasks take.
const SAMPLE_TIME: u32 = 60;
const HALF_FRAME_TIME: u32 = 500;
const LOG_TIME: u32 = 200;

/// SysTick's interrupts between two calls of the logger.
const LOG_TICKS: u32 = 16;

/// SysTick's interrupts of a program that ends.
const END_TICKS: u32 = 600;

static SAMPLE: Signal = Signal::new();
static SAMPLES: Signal = Signal::new();
static LOG: Signal = Signal::new();
static SEND: Signal = Signal::new();

pub(crate) fn spawn_urgent(spawner: SendSpawner) {
    if let Some(token) = named(SAMPLER, sampler()) {
        spawner.spawn(token);
    }
}

pub(crate) fn spawn(spawner: Spawner) {
    if let Some(token) = named(FILTER, filter()) {
        spawner.spawn(token);
    }
    if let Some(token) = named(LOGGER, logger()) {
        spawner.spawn(token);
    }
    if let Some(token) = named(SENDER, sender()) {
        spawner.spawn(token);
    }
}

/// Names a task before it is spawned.
fn named<S>(number: usize, token: Result<SpawnToken<S>, SpawnError>) -> Option<SpawnToken<S>> {
    let token = token.ok()?;
    TASKS.add_task(number, token.id());
    Some(token)
}

/// SysTick's interrupt.
pub(crate) fn tick() {
    let ticks = TASKS.count_tick();
    SEND.raise();
    if ticks % LOG_TICKS == 0 {
        LOG.raise();
    }
}

/// The timer's interrupt.
pub(crate) fn sample() {
    TASKS.count_interrupt();
    SAMPLE.raise();
}

#[embassy_executor::task]
async fn sampler() {
    let work = async {
        let mut samples = 0_u32;
        loop {
            SAMPLE.wait().await;
            busy(SAMPLE_TIME);
            samples = samples.wrapping_add(1);
            if samples % FRAME_SAMPLES == 0 {
                SAMPLES.raise();
            }
        }
    };
    Counted::new(SAMPLER, work).await
}

/// It is interrupted by the sampler while it filters, and lets other tasks run between the two
/// halves of a frame.
#[embassy_executor::task]
async fn filter() {
    let work = async {
        let mut frame = 0_u32;
        loop {
            SAMPLES.wait().await;
            frame = frame.wrapping_add(1);
            STREAM.marker_begin(FRAME, frame);
            busy(HALF_FRAME_TIME);
            yield_now().await;
            busy(HALF_FRAME_TIME);
            STREAM.marker_end(FRAME, frame);
        }
    };
    Counted::new(FILTER, work).await
}

/// Writes the counts into the stream.
#[embassy_executor::task]
async fn logger() {
    let work = async {
        loop {
            LOG.wait().await;
            busy(LOG_TIME);
            TASKS.write_totals();
        }
    };
    Counted::new(LOGGER, work).await
}

/// Sends what was recorded, and carries out what the host asks for. While there is no room,
/// entries stay in the ring.
#[embassy_executor::task]
async fn sender() {
    let work = async {
        let mut bytes = [0; 512];
        loop {
            SEND.wait().await;
            let is_end = !cfg!(feature = "endless") && TASKS.ticks() >= END_TICKS;
            if is_end {
                TASKS.write_counts();
            }
            // At most four containers: handlers that record meanwhile would keep the loop from its
            // end.
            let (most, least) = if is_end { (usize::MAX, 1) } else { (4, 256) };
            for _ in 0..most {
                if transport::room() < bytes.len() || STREAM.pending() < least {
                    break;
                }
                let length = STREAM.read(&mut bytes);
                transport::send(bytes.get(..length).unwrap_or_default());
            }
            if is_end {
                crate::end(true);
            }
            let length = transport::receive(&mut bytes);
            STREAM.take(bytes.get(..length).unwrap_or_default());
        }
    };
    Counted::new(SENDER, work).await
}

/// Lets other tasks of the executor run.
async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if core::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Computes for some microseconds.
fn busy(microseconds: u32) {
    let ticks = microseconds.wrapping_mul(board::FREQUENCY / 1_000_000);
    let start = board::counter();
    while board::counter().wrapping_sub(start) < ticks {}
}

const _: () = assert!(NAMES.len() == counting::TASKS);
