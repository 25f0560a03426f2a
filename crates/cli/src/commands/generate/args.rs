use anyhow::bail;
use clap::{Args, ValueEnum};
use rtoscope_command::input::ByteOrderArg;
use rtoscope_generate::{ThreadXOptions, cswitch, rkh};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{BufferLayout, DEFAULT_NAME_SIZE, UlongSize};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// Trace format
    #[arg(long, value_name = "KIND", default_value = "threadx")]
    pub(super) kind: GenerateFormat,

    /// Number of events: records for RKH, entries for a context-switch log
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    pub(super) events: u64,

    /// Seed of the random number generator; the same seed generates the same trace
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Output file; default: standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// JSON file for the ground truth of the trace
    #[arg(long, value_name = "FILE")]
    pub(super) truth: Option<PathBuf>,

    #[command(flatten)]
    kernel: KernelArgs,

    #[command(flatten)]
    buffer: BufferLayoutArgs,

    #[command(flatten)]
    log: LogLayoutArgs,

    #[command(flatten)]
    active: ActiveObjectArgs,
}

/// The format of the generated trace.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GenerateFormat {
    /// ThreadX event trace buffer
    Threadx,
    /// RKH trace stream
    Rkh,
    /// Context-switch log
    Cswitch,
}

/// A simulated kernel.
#[derive(Args)]
#[command(next_help_heading = "ThreadX and context-switch logs")]
struct KernelArgs {
    /// Application threads [default: 8]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<u16>,

    /// Cores [default: 1]
    #[arg(long, value_name = "NUMBER")]
    cores: Option<u8>,

    /// Width of the clock's counter [default: 32]
    #[arg(long, value_name = "BITS")]
    clock_bits: Option<u8>,

    /// Slots of the ring, or of each core's log: with fewer slots than events, only
    /// the last events remain [default: as many as events]
    #[arg(long, value_name = "SLOTS")]
    capacity: Option<u64>,

    /// Let half of the mutexes use priority inheritance
    #[arg(long)]
    inheritance: bool,

    /// Use timeouts for some waits on semaphores and mutexes
    #[arg(long)]
    timeouts: bool,

    /// Let cores wake threads of other cores
    #[arg(long)]
    shared_objects: bool,

    /// Let items pass a pipeline of this many threads, 1 to 8, through queues and
    /// semaphores (one core only)
    #[arg(long, value_name = "STAGES")]
    pipeline: Option<u8>,
}

/// The layout of a trace buffer.
#[derive(Args)]
#[command(next_help_heading = "ThreadX")]
struct BufferLayoutArgs {
    /// Use a clock that counts down
    #[arg(long)]
    count_down: bool,

    /// Byte order of the target [default: little]
    #[arg(long, value_name = "ORDER")]
    byte_order: Option<ByteOrderArg>,

    /// Size of the target's ULONG in bytes [default: 4]
    #[arg(long, value_name = "BYTES")]
    ulong: Option<UlongSizeArg>,

    /// Size of a name in the object registry in bytes [default: 32]
    #[arg(long, value_name = "BYTES")]
    name_size: Option<u16>,

    /// Omit the entry and exit events of the timer interrupt
    #[arg(long)]
    bare_ticks: bool,

    /// Add two threads that terminate, reset, delete, suspend and reprioritise
    /// other threads, abort waits and flush queues (one core only)
    #[arg(long)]
    thread_control: bool,
}

/// Context-switch log
#[derive(Args)]
#[command(next_help_heading = "Context-switch logs")]
struct LogLayoutArgs {
    /// Stop recording when all slots are used
    #[arg(long)]
    one_shot: bool,

    /// Write the raw entries in memory layout, without a container
    #[arg(long)]
    raw: bool,

    /// Let threads mark spans and instants
    #[arg(long)]
    markers: bool,
}

/// The active objects of an RKH trace.
#[derive(Args)]
#[command(next_help_heading = "RKH")]
struct ActiveObjectArgs {
    /// Number of pumps, active objects in addition to the station [default: 3]
    #[arg(long, value_name = "NUMBER")]
    pumps: Option<u8>,

    /// Approximate CPU load of the target in percent [default: 20]
    #[arg(long, value_name = "PERCENT")]
    load: Option<u8>,

    /// Size of an event id in bytes: 1, 2 or 4 [default: 1]
    #[arg(long, value_name = "BYTES")]
    id_size: Option<u8>,

    /// Omit the timestamp from checksums
    #[arg(long)]
    uncovered_timestamp: bool,

    /// Interrupt the host connection at times, so that records are lost
    #[arg(long)]
    lose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum UlongSizeArg {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

impl GenerateArgs {
    /// Refuses options of another format, which would have no effect.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let stream = Path::new("-");
        let output = self.output.as_deref().unwrap_or(stream);
        anyhow::ensure!(
            self.truth.as_deref() != Some(output),
            "the recording and the ground truth need separate files"
        );
        let (kernel, buffer, log, active) = (&self.kernel, &self.buffer, &self.log, &self.active);
        let of_kernel = [
            (kernel.threads.is_some(), "--threads"),
            (kernel.cores.is_some(), "--cores"),
            (kernel.clock_bits.is_some(), "--clock-bits"),
            (kernel.capacity.is_some(), "--capacity"),
            (kernel.inheritance, "--inheritance"),
            (kernel.timeouts, "--timeouts"),
            (kernel.shared_objects, "--shared-objects"),
            (kernel.pipeline.is_some(), "--pipeline"),
        ];
        let of_buffer = [
            (buffer.count_down, "--count-down"),
            (buffer.byte_order.is_some(), "--byte-order"),
            (buffer.ulong.is_some(), "--ulong"),
            (buffer.name_size.is_some(), "--name-size"),
            (buffer.bare_ticks, "--bare-ticks"),
            (buffer.thread_control, "--thread-control"),
        ];
        let of_log = [
            (log.one_shot, "--one-shot"),
            (log.raw, "--raw"),
            (log.markers, "--markers"),
        ];
        let of_active = [
            (active.pumps.is_some(), "--pumps"),
            (active.load.is_some(), "--load"),
            (active.lose, "--lose"),
            (active.id_size.is_some(), "--id-size"),
            (active.uncovered_timestamp, "--uncovered-timestamp"),
        ];
        let foreign: [&[(bool, &str)]; 3] = match self.kind {
            GenerateFormat::Threadx => [&of_log, &of_active, &[]],
            GenerateFormat::Rkh => [&of_kernel, &of_buffer, &of_log],
            GenerateFormat::Cswitch => [&of_buffer, &of_active, &[]],
        };
        if let Some((_, option)) = foreign.into_iter().flatten().find(|(given, _)| *given) {
            bail!("{option} does not apply to this format");
        }
        if log.one_shot && kernel.capacity.is_none() {
            bail!("--one-shot needs --capacity: without it the buffer never fills up");
        }
        Ok(())
    }

    pub(super) fn threadx_settings(&self) -> ThreadXOptions {
        let (kernel, buffer) = (&self.kernel, &self.buffer);
        let ulong = match buffer.ulong {
            None | Some(UlongSizeArg::Four) => UlongSize::Four,
            Some(UlongSizeArg::Eight) => UlongSize::Eight,
        };
        let order = buffer.byte_order.map_or(ByteOrder::Little, Into::into);
        ThreadXOptions {
            events: self.events,
            threads: kernel.threads(),
            cores: kernel.cores(),
            clock_bits: kernel.clock_bits(),
            count_down: buffer.count_down,
            seed: self.seed,
            layout: BufferLayout::new(order, ulong),
            name_size: buffer.name_size.unwrap_or(DEFAULT_NAME_SIZE),
            capacity: kernel.capacity,
            bare_ticks: buffer.bare_ticks,
            inheritance: kernel.inheritance,
            timeouts: kernel.timeouts,
            thread_control: buffer.thread_control,
            shared_objects: kernel.shared_objects,
            pipeline_stages: kernel.pipeline.unwrap_or_default(),
        }
    }

    pub(super) fn cswitch_settings(&self) -> cswitch::CswitchOptions {
        let (kernel, log) = (&self.kernel, &self.log);
        cswitch::CswitchOptions {
            entries: self.events,
            threads: kernel.threads(),
            cores: kernel.cores(),
            counter_bits: kernel.clock_bits(),
            seed: self.seed,
            buffer: kernel.capacity.map(|slots| cswitch::LogBuffer {
                slots: u32::try_from(slots).unwrap_or(u32::MAX),
                cyclic: !log.one_shot,
            }),
            form: if log.raw {
                cswitch::OutputForm::Raw
            } else {
                cswitch::OutputForm::Container
            },
            inheritance: kernel.inheritance,
            timeouts: kernel.timeouts,
            shared_objects: kernel.shared_objects,
            markers: log.markers,
            pipeline_stages: kernel.pipeline.unwrap_or_default(),
        }
    }

    pub(super) fn rkh_settings(&self) -> rkh::RkhOptions {
        let usual = rkh::RkhOptions::default();
        let active = &self.active;
        rkh::RkhOptions {
            records: self.events,
            pumps: active.pumps.unwrap_or(usual.pumps),
            load: active.load.unwrap_or(usual.load),
            losses: active.lose,
            id_bytes: active.id_size.unwrap_or(usual.id_bytes),
            checksum_covers_timestamp: !active.uncovered_timestamp,
            seed: self.seed,
        }
    }
}

impl KernelArgs {
    fn threads(&self) -> u16 {
        self.threads.unwrap_or(8)
    }

    fn cores(&self) -> u8 {
        self.cores.unwrap_or(1)
    }

    fn clock_bits(&self) -> u8 {
        self.clock_bits.unwrap_or(32)
    }
}
