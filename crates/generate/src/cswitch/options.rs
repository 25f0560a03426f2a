use crate::GenerateError;
use crate::options::in_range;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{BufferLayout, UlongSize};

/// What to simulate and how to record it. Equal options give equal bytes on
/// machines with the same byte order and pointer size, because entries have the
/// memory layout of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CswitchOptions {
    /// Entries of all cores since the start of the scheduler: 1 to 4 294 967
    /// 295.
    pub entries: u64,
    /// Application threads, pinned to the cores in turn.
    pub threads: u16,
    /// Cores, 1 to 32. Each has its own log.
    pub cores: u8,
    /// Width of the counter in bits, 16 to 32. No gap between entries of a core
    /// is longer than a quarter of the period.
    pub counter_bits: u8,
    /// Seed of the pseudo-random event sequence.
    pub seed: u64,
    /// The memory of each core's log. `None`: entries are read out while the
    /// target runs, so that none is lost.
    pub buffer: Option<LogBuffer>,
    /// The output format.
    pub form: OutputForm,
    /// Whether half of the mutexes have priority inheritance.
    pub inheritance: bool,
    /// Whether some waits for semaphores and mutexes have a timeout.
    pub timeouts: bool,
    /// Whether threads and devices of a core put semaphores that threads of the
    /// next core wait for.
    pub shared_objects: bool,
    /// Whether threads mark spans and instants.
    pub markers: bool,
    /// Stages of a pipeline, 0 to 8, whose items are marked; 0 is none. With one core only.
    pub pipeline_stages: u8,
}

/// The memory of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogBuffer {
    /// The capacity in entries, 1 to 16 777 216.
    pub slots: u32,
    /// Whether the newest entries overwrite the oldest ones; otherwise the
    /// newest are lost once the log is full.
    pub cyclic: bool,
}

/// The output format of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputForm {
    /// A CSWL container, with names and symbols.
    #[default]
    Container,
    /// The entries of one core, as in memory.
    Raw,
}

impl Default for CswitchOptions {
    fn default() -> Self {
        Self {
            entries: 100_000,
            threads: 12,
            cores: 1,
            counter_bits: 32,
            seed: 1,
            buffer: None,
            form: OutputForm::Container,
            inheritance: false,
            timeouts: false,
            shared_objects: false,
            markers: false,
            pipeline_stages: 0,
        }
    }
}

/// With fewer bits, the time between two events would be too short for the
/// entries of one.
const MIN_COUNTER_BITS: u64 = 16;
/// 400 MB of entries per core.
const MAX_SLOTS: u64 = 1 << 24;

impl CswitchOptions {
    /// Rejects options that cannot be simulated, before anything is written.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        in_range("entries", self.entries, 1, u32::MAX.into())?;
        let bits = u64::from(self.counter_bits);
        in_range("counter_bits", bits, MIN_COUNTER_BITS, 32)?;
        if let Some(buffer) = self.buffer {
            in_range("slots", buffer.slots.into(), 1, MAX_SLOTS)?;
        }
        if self.form == OutputForm::Raw {
            in_range("cores", self.cores.into(), 1, 1)?;
        }
        self.kernel().check()
    }

    /// The options of the simulated kernel.
    pub(super) fn kernel(&self) -> crate::ThreadXOptions {
        crate::ThreadXOptions {
            events: self.entries,
            threads: self.threads,
            cores: self.cores,
            clock_bits: self.counter_bits,
            count_down: false,
            seed: self.seed,
            layout: BufferLayout::new(ByteOrder::Little, UlongSize::Four),
            capacity: None,
            // Every handler records its entry and exit.
            bare_ticks: false,
            inheritance: self.inheritance,
            timeouts: self.timeouts,
            shared_objects: self.shared_objects,
            pipeline_stages: self.pipeline_stages,
            ..crate::ThreadXOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut CswitchOptions)) -> String {
        let mut options = CswitchOptions::default();
        change(&mut options);
        options.check().unwrap_err().to_string()
    }

    #[test]
    fn impossible_options_are_rejected_with_limits() {
        assert!(CswitchOptions::default().check().is_ok());
        assert_eq!(
            refused(|options| options.counter_bits = 15),
            "counter_bits is 15, but must be from 16 to 32"
        );
        assert_eq!(
            refused(|options| (options.form, options.cores) = (OutputForm::Raw, 2)),
            "cores is 2, but must be from 1 to 1"
        );
        assert!(refused(|options| options.entries = 0).starts_with("entries is 0"));
        assert!(refused(|options| options.threads = 0).starts_with("threads is 0"));
        let none = Some(LogBuffer {
            slots: 0,
            cyclic: true,
        });
        assert!(refused(|options| options.buffer = none).starts_with("slots is 0"));
    }
}
