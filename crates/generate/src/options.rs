use crate::GenerateError;
use crate::role::{CONTROLLERS, Role};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{BufferLayout, DEFAULT_NAME_SIZE, UlongSize};

/// What to simulate and how to lay it out. Equal options give equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadXOptions {
    /// Events that the kernel logs in total, from its initialisation on.
    pub events: u64,
    /// Application threads, pinned to the cores in turn.
    pub threads: u16,
    /// Cores, 1 to 32. With more than one, the core's number is in bits 24 to
    /// 31 of every event id.
    pub cores: u8,
    /// Width of the time source in bits: 8 to 32, or to 64 if the layout has
    /// 8-byte words. No gap between events is longer than a quarter of the
    /// period, so that timestamps can always be unwrapped.
    pub clock_bits: u8,
    /// Whether the time source counts down.
    pub count_down: bool,
    /// Seed of the pseudo-random event sequence.
    pub seed: u64,
    /// Byte order and word size of the target.
    pub layout: BufferLayout,
    /// Size of an object name in the registry in bytes, with its final NUL; at
    /// min 1.
    pub name_size: u16,
    /// Slots of the ring. `None`: as many as `events`, so that it is exactly
    /// full. With more slots than events the rest is unused; with fewer the
    /// ring has wrapped and holds the last `capacity` events.
    pub capacity: Option<u64>,
    /// Whether the timer interrupt logs neither `ISR_ENTER` nor `ISR_EXIT`, as
    /// on Arm Cortex-M, RISC-V and several cores.
    pub bare_ticks: bool,
    /// Whether half of the mutexes have priority inheritance.
    pub inheritance: bool,
    /// Whether some waits for semaphores and mutexes have a timeout.
    pub timeouts: bool,
    /// Whether two more threads terminate, reset, delete, create, suspend,
    /// resume and reprioritise the others, abort their waits and flush their
    /// queues, and whether threads end by themselves. One core only.
    pub thread_control: bool,
    /// Whether threads and devices of a core put semaphores that threads of the
    /// next core wait for. No effect with one core.
    pub shared_objects: bool,
    /// Stages of a pipeline, 0 to 8; 0 is none. An interrupt puts items into
    /// the queue of the first stage, and the thread of each stage takes them
    /// from its queue, serves them and puts them into the queue of the next. The
    /// seed selects the period, the capacities of the queues, which of them are
    /// semaphores, and which threads wait for room instead of dropping items.
    /// One core only, without `thread_control`.
    pub pipeline_stages: u8,
}

impl Default for ThreadXOptions {
    fn default() -> Self {
        Self {
            events: 100_000,
            threads: 12,
            cores: 1,
            clock_bits: 32,
            count_down: false,
            seed: 1,
            layout: BufferLayout::new(ByteOrder::Little, UlongSize::Four),
            name_size: DEFAULT_NAME_SIZE,
            capacity: None,
            bare_ticks: false,
            inheritance: false,
            timeouts: false,
            thread_control: false,
            shared_objects: false,
            pipeline_stages: 0,
        }
    }
}

/// Maximum number of cores in the simulation; ids could number 256.
const MAX_CORES: u64 = 32;
/// Maximum number of stages of a pipeline.
const MAX_STAGES: u64 = 8;
/// With fewer bits the kernel's shortest step would be a large part of the
/// period.
const MIN_CLOCK_BITS: u64 = 8;

impl ThreadXOptions {
    /// Slots of the ring.
    pub(crate) fn slots(&self) -> u64 {
        self.capacity.unwrap_or(self.events)
    }

    /// Application threads, those of the pipeline, and controllers.
    pub(crate) fn all_threads(&self) -> usize {
        usize::from(self.threads) + usize::from(self.pipeline_stages) + self.controllers().len()
    }

    /// The controller threads, in addition to [`ThreadXOptions::threads`].
    pub(crate) fn controllers(&self) -> &'static [Role] {
        if self.thread_control {
            &CONTROLLERS
        } else {
            &[]
        }
    }

    /// Rejects options that cannot be simulated, before anything is written.
    pub(crate) fn check(&self) -> Result<(), GenerateError> {
        let word_bits = 8 * self.layout.ulong.bytes() as u64;
        let threads = u64::from(self.threads);
        // With several cores the kernel implements some of these services
        // differently.
        let stages = u64::from(self.pipeline_stages);
        let has_one_core = self.thread_control || stages > 0;
        let max_cores = if has_one_core { 1 } else { MAX_CORES };
        // Controllers would end the threads of a pipeline with their items.
        let max_stages = if self.thread_control { 0 } else { MAX_STAGES };
        let other_threads = stages + self.controllers().len() as u64;
        let max_threads = u64::from(u16::MAX) - other_threads;
        let ring = if self.capacity.is_some() {
            "capacity"
        } else {
            "events"
        };
        for (option, value, min, max) in [
            ("threads", threads, 1, max_threads),
            ("pipeline_stages", stages, 0, max_stages),
            ("cores", u64::from(self.cores), 1, max_cores.min(threads)),
            (
                "clock_bits",
                u64::from(self.clock_bits),
                MIN_CLOCK_BITS,
                word_bits,
            ),
            (
                "name_size",
                u64::from(self.name_size),
                1,
                u64::from(u16::MAX),
            ),
            (ring, self.slots(), 1, u64::MAX),
        ] {
            in_range(option, value, min, max)?;
        }
        Ok(())
    }
}

/// Rejects an option outside its range.
pub(crate) fn in_range(
    option: &'static str,
    value: u64,
    min: u64,
    max: u64,
) -> Result<(), GenerateError> {
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(GenerateError::OutOfRange {
            option,
            value,
            min,
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut ThreadXOptions)) -> String {
        let mut options = ThreadXOptions::default();
        change(&mut options);
        options.check().unwrap_err().to_string()
    }

    #[test]
    fn impossible_options_are_rejected_with_limits() {
        assert_eq!(
            refused(|options| options.threads = 0),
            "threads is 0, but must be from 1 to 65535"
        );
        assert_eq!(
            refused(|options| options.cores = 33),
            "cores is 33, but must be from 1 to 12"
        );
        assert_eq!(
            refused(|options| (options.cores, options.threads) = (33, 100)),
            "cores is 33, but must be from 1 to 32"
        );
        assert_eq!(
            refused(|options| options.clock_bits = 7),
            "clock_bits is 7, but must be from 8 to 32"
        );
        assert_eq!(
            refused(|options| {
                options.layout.ulong = UlongSize::Eight;
                options.clock_bits = 65;
            }),
            "clock_bits is 65, but must be from 8 to 64"
        );
        assert_eq!(
            refused(|options| options.capacity = Some(0)),
            "capacity is 0, but must be from 1 to 18446744073709551615"
        );
        assert_eq!(
            refused(|options| (options.cores, options.thread_control) = (2, true)),
            "cores is 2, but must be from 1 to 1"
        );
        assert_eq!(
            refused(|options| (options.threads, options.thread_control) = (65_534, true)),
            "threads is 65534, but must be from 1 to 65533"
        );
        assert_eq!(
            refused(|options| options.pipeline_stages = 9),
            "pipeline_stages is 9, but must be from 0 to 8"
        );
        assert_eq!(
            refused(|options| (options.pipeline_stages, options.thread_control) = (1, true)),
            "pipeline_stages is 1, but must be from 0 to 0"
        );
        assert_eq!(
            refused(|options| (options.cores, options.pipeline_stages) = (2, 3)),
            "cores is 2, but must be from 1 to 1"
        );
        assert!(refused(|options| options.events = 0).starts_with("events is 0"));
        assert!(refused(|options| options.name_size = 0).starts_with("name_size is 0"));
    }
}
