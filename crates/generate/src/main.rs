//! `rtoscope-generate`: synthetic recordings of any length, with their ground truth.

#![forbid(unsafe_code)]

use anyhow::{Context as _, bail, ensure};
use clap::{Args, Parser, Subcommand, ValueEnum};
use rtoscope_generate::{ThreadXOptions, cswitch, rkh};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{BufferLayout, DEFAULT_NAME_SIZE, UlongSize};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

/// Writes a synthetic but valid recording
#[derive(Parser)]
#[command(name = "rtoscope-generate", version)]
struct GenerateArgs {
    #[command(subcommand)]
    format: GeneratedFormat,

    /// Number of events: records for RKH, entries for a context-switch log
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, global = true)]
    events: u64,

    /// Seed of the random number generator; the same seed generates the same trace
    #[arg(long, value_name = "NUMBER", default_value_t = 1, global = true)]
    seed: u64,

    /// Output file; default: standard output
    #[arg(short, long, value_name = "FILE", global = true)]
    output: Option<PathBuf>,

    /// JSON file for the ground truth of the recording
    #[arg(long, value_name = "FILE", global = true)]
    truth: Option<PathBuf>,
}

#[derive(Subcommand)]
enum GeneratedFormat {
    /// ThreadX event trace buffer
    Threadx {
        #[command(flatten)]
        kernel: KernelArgs,
        #[command(flatten)]
        buffer: BufferLayoutArgs,
    },
    /// RKH trace stream
    Rkh(ActiveObjectArgs),
    /// Context-switch log
    Cswitch {
        #[command(flatten)]
        kernel: KernelArgs,
        #[command(flatten)]
        log: LogLayoutArgs,
    },
}

/// A simulated kernel.
#[derive(Args)]
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
struct LogLayoutArgs {
    /// Stop recording when all slots are used
    #[arg(long, requires = "capacity")]
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
enum ByteOrderArg {
    Little,
    Big,
}

#[derive(Clone, Copy, ValueEnum)]
enum UlongSizeArg {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

fn main() -> anyhow::Result<()> {
    let arguments = GenerateArgs::parse();
    let Some(path) = arguments
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    else {
        let mut output = io::stdout().lock();
        if output.is_terminal() {
            bail!("the recording is binary: name a file with --output");
        }
        return arguments.write(&mut output);
    };
    ensure!(
        arguments.truth.as_deref() != Some(path),
        "the recording and the ground truth need separate files"
    );
    let name = || path.display().to_string();
    let file = File::create(path).with_context(name)?;
    let written = arguments.write(&mut BufWriter::new(file));
    if written.is_err() {
        // A part of a recording would look like a whole one.
        let _ = fs::remove_file(path);
    }
    written.with_context(name)
}

/// Writes the ground truth, if requested, on one line: it can be as long as the recording.
fn write_truth<T: Serialize>(path: Option<&Path>, schema: &str, truth: &T) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct TruthDocument<'a, T> {
        schema: &'a str,
        #[serde(flatten)]
        truth: &'a T,
    }
    let Some(path) = path else {
        return Ok(());
    };
    let write = || -> io::Result<()> {
        let mut output = BufWriter::new(File::create(path)?);
        serde_json::to_writer(&mut output, &TruthDocument { schema, truth })?;
        writeln!(output)?;
        output.flush()
    };
    write().with_context(|| path.display().to_string())
}

impl GenerateArgs {
    fn write(&self, mut output: &mut dyn Write) -> anyhow::Result<()> {
        let truth_path = self.truth.as_deref();
        let mut progress = |_| ();
        match &self.format {
            GeneratedFormat::Threadx { kernel, buffer } => {
                let options = self.threadx_options(kernel, buffer);
                if truth_path.is_none() {
                    rtoscope_generate::write(&options, &mut output, &mut progress)?;
                } else {
                    let written =
                        rtoscope_generate::write_with_truth(&options, &mut output, &mut progress);
                    write_truth(truth_path, "rtoscope/truth/1", &written?.1)?;
                }
            }
            GeneratedFormat::Rkh(active) => {
                let options = self.rkh_options(active);
                let (_, truth) = rkh::write_with_truth(&options, &mut output, &mut progress)?;
                write_truth(truth_path, "rtoscope/truth-rkh/1", &truth)?;
            }
            GeneratedFormat::Cswitch { kernel, log } => {
                let options = self.cswitch_options(kernel, log);
                if truth_path.is_none() {
                    cswitch::write(&options, &mut output, &mut progress)?;
                } else {
                    let (_, truth) =
                        cswitch::write_with_truth(&options, &mut output, &mut progress)?;
                    write_truth(truth_path, "rtoscope/truth-cswitch/1", &truth)?;
                }
            }
        }
        Ok(output.flush()?)
    }

    fn threadx_options(&self, kernel: &KernelArgs, buffer: &BufferLayoutArgs) -> ThreadXOptions {
        let ulong = match buffer.ulong {
            None | Some(UlongSizeArg::Four) => UlongSize::Four,
            Some(UlongSizeArg::Eight) => UlongSize::Eight,
        };
        let order = match buffer.byte_order {
            None | Some(ByteOrderArg::Little) => ByteOrder::Little,
            Some(ByteOrderArg::Big) => ByteOrder::Big,
        };
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

    fn cswitch_options(&self, kernel: &KernelArgs, log: &LogLayoutArgs) -> cswitch::CswitchOptions {
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

    fn rkh_options(&self, active: &ActiveObjectArgs) -> rkh::RkhOptions {
        let usual = rkh::RkhOptions::default();
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
