//! What the camera's program knows of each frame.

use crate::counters::{counters, words};

/// Number of frames.
pub const FRAMES: usize = 24;

/// The stages that a frame passes, in this order.
pub const STAGES: [&str; 4] = ["camera", "decoder", "filter", "display"];

/// An enumeration of numbers from 0 on, with names.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($(#[$value_about:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
        pub enum $type {
            $($(#[$value_about])* $value,)+
        }

        impl $type {
            /// All values, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    };
}

named! {
    /// Whether a frame was shown, in [`Frame::verdict`].
    Verdict {
        /// Not shown yet.
        Pending = "pending",
        /// Shown before its deadline.
        OnTime = "on time",
        /// Shown after its deadline.
        Late = "late",
        /// Not shown, because there was no room in the camera's queue.
        Dropped = "dropped",
    }
}

named! {
    /// What the host makes worse in a run that varies.
    Regression {
        /// Nothing.
        Nothing = "nothing",
        /// Thread `storage` turns off interrupts for longer.
        CriticalSection = "critical-section",
        /// Thread `decoder` has a lower priority than those in the background.
        Priority = "priority",
        /// Thread `filter` takes longer for each frame.
        Stage = "stage",
        /// The time of thread `decoder` for a frame varies more, with the same mean.
        Jitter = "jitter",
    }
}

named! {
    /// What the program does to a frame, in [`Frame::cause`].
    Cause {
        /// Nothing.
        Nothing = "nothing",
        /// A thread of higher priority preempts the stage.
        Preempted = "preempted",
        /// A thread of lower priority holds the mutex that the stage needs.
        Blocked = "blocked",
        /// A thread turns off the interrupt that the stage waits for.
        InterruptsOff = "interrupts off",
        /// The stage is still busy with the previous frame.
        Busy = "busy",
        /// The stage's queue is full.
        QueueFull = "queue full",
    }
}

counters! {
    /// A frame. Times are those of the recorded events, in ticks of the counter.
    Frame {
        /// Its number, from 1 on.
        number,
        /// Entry of the camera's interrupt.
        captured,
        /// Sent by the camera's interrupt, also without success.
        camera_sent,
        /// Received by the decoder.
        decoder_received,
        /// Sent by the decoder.
        decoder_sent,
        /// Received by the filter.
        filter_received,
        /// Sent by the filter.
        filter_sent,
        /// Received by the display.
        display_received,
        /// On the display.
        shown,
        /// A [`Verdict`].
        verdict,
        /// The [`Cause`] that the program injected.
        cause,
        /// Where it was injected: an index of [`STAGES`].
        stage,
        /// Address of the name of the thread that delayed the frame; 0 if none.
        culprit,
    }
}

counters! {
    /// Global figures.
    Totals {
        /// Ticks of the counter per second.
        frequency,
        /// Ticks from one frame to the next.
        period,
        /// Ticks from the camera's interrupt until the frame has to be on the display.
        deadline,
        /// Events written to the trace buffer.
        txtb_events,
        /// Entries written to the context-switch log.
        cswitch_entries,
        /// Entries lost there, as counted by the recorder.
        cswitch_lost,
    }
}

/// The truth about all frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CameraTruth {
    /// [`crate::DONE`] after the end.
    pub done: u32,
    /// Global figures.
    pub totals: Totals,
    /// The frames in their order.
    pub frames: [Frame; FRAMES],
}

impl CameraTruth {
    /// All words 0.
    pub const ZERO: Self = Self {
        done: 0,
        totals: Totals::ZERO,
        frames: [Frame::ZERO; FRAMES],
    };

    /// Reads it from memory in little-endian order; [`None`] if there is too little.
    pub fn read(memory: &[u8]) -> Option<Self> {
        let mut words = words(memory);
        let mut truth = Self::ZERO;
        truth.done = words.next()?;
        truth.totals = Totals::read(&mut words)?;
        for frame in &mut truth.frames {
            *frame = Frame::read(&mut words)?;
        }
        Some(truth)
    }
}
