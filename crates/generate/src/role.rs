//! Thread roles of the application: six roles that work together, so that
//! messages, resources and events pass between them.
//!
//! The scripts cannot deadlock: a thread that holds the mutex waits only for
//! the end of a nap. Nor can they run away: a sensor waits for its device,
//! control and background threads sleep, and the others wait for these. The
//! first roles alone (in an application with few threads) run as well.

/// A step of a script. Before each one, the thread computes for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScriptStep {
    /// Computes for about a time slice; calls nothing.
    Compute,
    /// Sleeps for the core's usual period.
    Sleep,
    /// Sleeps for one to three timer interrupts.
    Nap,
    /// Logs an event of the application.
    UserEvent,
    /// Waits for the semaphore that the device's interrupt puts.
    AwaitDevice,
    /// Waits for the semaphore that [`ScriptStep::GiveWork`] puts.
    AwaitWork,
    /// Puts that semaphore, unless it is high already.
    GiveWork,
    /// Sends a message, waiting while the queue is full.
    Send,
    /// Sends a message, which is lost if the queue is full.
    TrySend,
    /// Waits for a message.
    Receive,
    /// Waits for the mutex.
    Lock,
    /// Gets the mutex if it is free.
    TryLock,
    /// Puts the mutex once, if it is owned.
    Unlock,
    /// Waits for an event flag.
    AwaitFlag,
    /// Sets that flag.
    SetFlag,
    /// Lets others of the same priority run.
    Relinquish,
    /// Allocates a block from the block pool if there is one.
    AllocateBlock,
    /// Releases it, if there was one.
    ReleaseBlock,
    /// Allocates memory from the byte pool if there is some.
    AllocateBytes,
    /// Releases it, if there was some.
    ReleaseBytes,
    /// Controls another thread.
    Control,
    /// Takes an item from the link of its stage.
    TakeItem,
    /// Puts the item into the link of the next stage, if there is one.
    PassItem,
}

/// A kind of thread.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Role {
    /// Names of the first threads with this role.
    pub(crate) names: [&'static str; 2],
    pub(crate) priority: u8,
    /// Time slice in timer interrupts; 0 is none.
    pub(crate) slice: u8,
    pub(crate) stack_bytes: u64,
    pub(crate) script: &'static [ScriptStep],
}

/// All roles, in the order in which threads take them.
pub(crate) static ROLES: [Role; 6] = [
    Role {
        names: ["sensor", "camera"],
        priority: 4,
        slice: 0,
        stack_bytes: 1024,
        script: &[
            ScriptStep::AwaitDevice,
            ScriptStep::UserEvent,
            ScriptStep::AllocateBlock,
            ScriptStep::TrySend,
            ScriptStep::ReleaseBlock,
            ScriptStep::Nap,
        ],
    },
    Role {
        names: ["logger", "recorder"],
        priority: 16,
        slice: 0,
        stack_bytes: 2048,
        script: &[
            ScriptStep::Receive,
            ScriptStep::Lock,
            ScriptStep::AllocateBytes,
            ScriptStep::UserEvent,
            ScriptStep::ReleaseBytes,
            ScriptStep::Unlock,
        ],
    },
    Role {
        names: ["control", "motor"],
        priority: 8,
        slice: 0,
        stack_bytes: 1024,
        script: &[
            ScriptStep::Sleep,
            ScriptStep::Lock,
            ScriptStep::SetFlag,
            ScriptStep::Unlock,
            ScriptStep::UserEvent,
            ScriptStep::GiveWork,
        ],
    },
    Role {
        names: ["network", "radio"],
        priority: 12,
        slice: 0,
        stack_bytes: 4096,
        script: &[
            ScriptStep::AwaitWork,
            ScriptStep::UserEvent,
            ScriptStep::TryLock,
            ScriptStep::Unlock,
            // More than the queue can hold, so that it waits for the logger.
            ScriptStep::Send,
            ScriptStep::Send,
            ScriptStep::Send,
            ScriptStep::Send,
            ScriptStep::Send,
            ScriptStep::Send,
        ],
    },
    Role {
        names: ["display", "panel"],
        priority: 20,
        slice: 1,
        stack_bytes: 2048,
        script: &[
            ScriptStep::AwaitFlag,
            ScriptStep::Lock,
            ScriptStep::UserEvent,
            ScriptStep::Lock,
            ScriptStep::Compute,
            ScriptStep::Unlock,
            ScriptStep::Unlock,
        ],
    },
    Role {
        names: ["background", "diagnostics"],
        priority: 20,
        slice: 1,
        stack_bytes: 1024,
        script: &[
            ScriptStep::Lock,
            ScriptStep::Nap,
            ScriptStep::Unlock,
            ScriptStep::Compute,
            ScriptStep::Relinquish,
            ScriptStep::Compute,
            ScriptStep::UserEvent,
            ScriptStep::Sleep,
        ],
    },
];

/// The roles of controller threads: one has a higher priority than all others,
/// one is between them.
pub(crate) static CONTROLLERS: [Role; 2] = [
    Role {
        names: ["supervisor", "supervisor"],
        priority: 2,
        slice: 0,
        stack_bytes: 1024,
        script: &[
            ScriptStep::Control,
            ScriptStep::Nap,
            ScriptStep::Control,
            ScriptStep::Nap,
        ],
    },
    Role {
        names: ["maintenance", "maintenance"],
        priority: 14,
        slice: 0,
        stack_bytes: 1024,
        script: &[ScriptStep::Nap, ScriptStep::Control, ScriptStep::Control],
    },
];

/// The roles of the threads of a pipeline, which the stages take in turn.
pub(crate) static STAGES: [Role; 4] = [
    Role {
        names: ["stage", "stage"],
        priority: 10,
        slice: 0,
        stack_bytes: 1024,
        script: &[
            ScriptStep::TakeItem,
            ScriptStep::Lock,
            ScriptStep::UserEvent,
            ScriptStep::Unlock,
            ScriptStep::PassItem,
            ScriptStep::UserEvent,
        ],
    },
    Role {
        names: ["stage", "stage"],
        priority: 18,
        slice: 0,
        stack_bytes: 1024,
        script: &[
            ScriptStep::TakeItem,
            ScriptStep::AllocateBytes,
            ScriptStep::Compute,
            ScriptStep::ReleaseBytes,
            ScriptStep::PassItem,
        ],
    },
    Role {
        names: ["stage", "stage"],
        priority: 20,
        slice: 1,
        stack_bytes: 1024,
        script: &[
            ScriptStep::TakeItem,
            ScriptStep::Compute,
            ScriptStep::Lock,
            ScriptStep::Nap,
            ScriptStep::Unlock,
            ScriptStep::PassItem,
        ],
    },
    Role {
        names: ["stage", "stage"],
        priority: 6,
        slice: 0,
        stack_bytes: 1024,
        script: &[
            ScriptStep::TakeItem,
            ScriptStep::UserEvent,
            ScriptStep::PassItem,
            ScriptStep::Nap,
        ],
    },
];
