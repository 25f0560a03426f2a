//! The simulated hardware and application: the objects, their addresses, and
//! the threads that use them.

use crate::ThreadXOptions;
use crate::address_allocator::AddressAllocator;
use crate::clock::Clock;
use crate::creation::{Creation, CreationEvent};
use crate::event::id;
use crate::kernel::{Kernel, SYSTEM_STACK_BYTES};
use crate::objects::{EventFlags, Mutex, ObjectSet, Pool, Queue, Semaphore};
use crate::pipeline::{LinkType, Pipeline};
use crate::role::{ROLES, Role, STAGES};
use crate::services::MAX_ALLOCATION_BYTES;
use crate::thread::{NO_PRIORITY, Thread, ThreadIndex, ThreadState, WaitTarget};
use crate::timing::Timing;
use fastrand::Rng;
use rtoscope_wire::threadx::{ObjectType, THREAD_PRIORITY_VALID};

/// Groups of threads (one of each role) that share a set of objects.
const GROUPS_PER_SET: usize = 2;
/// Bytes of a control block; those of ThreadX have 32 to 200.
const CONTROL_BLOCK_BYTES: u64 = 176;
/// Bytes of a block of the block pools.
const BLOCK_BYTES: u64 = 64;
/// Bytes of the System Timer Thread's stack (`TX_TIMER_THREAD_STACK_SIZE`).
const TIMER_STACK_BYTES: u64 = 1024;

/// The system before the first event.
#[derive(Debug)]
pub(crate) struct SimulatedSystem {
    pub(crate) kernels: Vec<Kernel>,
    /// All objects in the order of their creation.
    pub(crate) creations: Vec<Creation>,
    memory: AddressAllocator,
    word_bytes: u64,
}

impl SimulatedSystem {
    /// Lays out the system; the options have been checked.
    pub(crate) fn new(options: &ThreadXOptions) -> Self {
        let mut board = Self {
            kernels: Vec::with_capacity(usize::from(options.cores)),
            creations: Vec::new(),
            memory: AddressAllocator::new(options.layout),
            word_bytes: options.layout.ulong.bytes() as u64,
        };
        let clock = Clock::new(options.clock_bits, options.count_down);
        let timing = Timing::new(clock.mask());
        let mut seeds = Rng::with_seed(options.seed);
        board.add_timer_thread();
        for core in 0..options.cores {
            let stack = board.memory.allocate(SYSTEM_STACK_BYTES);
            let mut kernel = Kernel::new(core, timing, seeds.u64(..), stack);
            // A TIME_SLICE event refers to the next thread of core 0 and says
            // nothing about the other cores, so several cores do without time
            // slices.
            kernel.has_time_slices = options.cores == 1;
            kernel.has_bare_ticks = options.bare_ticks;
            kernel.has_timeouts = options.timeouts;
            kernel.has_controllers = options.thread_control;
            let cores = u16::from(options.cores);
            let threads = (options.threads - u16::from(core)).div_ceil(cores);
            board.add_objects(&mut kernel, usize::from(threads), core, options);
            board.kernels.push(kernel);
        }
        for number in 0..options.threads {
            let index_on_core = usize::from(number / u16::from(options.cores));
            let role = &ROLES[index_on_core % ROLES.len()];
            let name = thread_name(role, index_on_core / ROLES.len(), number, options.cores);
            board.add_thread(number, options.cores, role, name);
        }
        for (number, role) in (options.threads..).zip(options.controllers()) {
            board.add_thread(number, options.cores, role, role.names[0].into());
        }
        if options.pipeline_stages > 0 {
            board.add_pipeline(options, timing.tick, seeds.u64(..));
        }
        board
    }

    /// Adds the thread that ThreadX creates for its timers. It never runs: this
    /// kernel handles timers in the interrupt (`TX_TIMER_PROCESS_IN_ISR`).
    fn add_timer_thread(&mut self) {
        let pointer = self.memory.allocate(CONTROL_BLOCK_BYTES);
        let stack_start = self.memory.allocate(TIMER_STACK_BYTES);
        self.creations.push(Creation {
            object_type: ObjectType::THREAD,
            pointer,
            parameters: [stack_start, TIMER_STACK_BYTES],
            reserved: [THREAD_PRIORITY_VALID, 0],
            name: "System Timer Thread".into(),
            event: None,
            thread: None,
        });
    }

    fn add_objects(
        &mut self,
        kernel: &mut Kernel,
        threads: usize,
        core: u8,
        options: &ThreadXOptions,
    ) {
        let of_core = if options.cores > 1 {
            format!(" of core {core}")
        } else {
            String::new()
        };
        kernel.byte_pool = self.add_byte_pool(format!("byte pool{of_core}"));
        kernel.block_pool = self.add_block_pool(format!("block pool{of_core}"));
        let sets = threads.div_ceil(ROLES.len() * GROUPS_PER_SET);
        for set in 1..=sets {
            let name = |kind: &str| format!("{kind} {set}{of_core}");
            // Half of the mutexes, and the only one of a system with few
            // threads.
            let inherits = options.inheritance && set % 2 == 1;
            kernel.sets.push(ObjectSet {
                queue: Queue::new(self.add_queue(name("message queue"), Queue::CAPACITY)),
                device: Semaphore::new(self.add_semaphore(name("device semaphore"))),
                work: Semaphore::new(self.add_semaphore(name("work semaphore"))),
                mutex: Mutex::new(self.add_mutex(name("resource mutex"), inherits), inherits),
                flags: EventFlags::new(self.add_event_flags(name("event flags"))),
            });
        }
    }

    /// Adds a pipeline to the first core.
    fn add_pipeline(&mut self, options: &ThreadXOptions, tick: u64, seed: u64) {
        let first = ThreadIndex(options.threads);
        let mut pipeline = Pipeline::new(options.pipeline_stages, tick, seed, first);
        for stage in 0..options.pipeline_stages {
            let link = pipeline.plan_link();
            let pointer = match link.link_type {
                LinkType::Queue(capacity) => {
                    self.add_queue(format!("queue of stage {}", stage + 1), capacity)
                }
                LinkType::Semaphore => self.add_semaphore(format!("items of stage {}", stage + 1)),
            };
            pipeline.add_stage(pointer, link);
        }
        if let Some(kernel) = self.kernels.first_mut() {
            kernel.pipeline = Some(Box::new(pipeline));
        }
        for stage in 0..options.pipeline_stages {
            let number = options.threads + u16::from(stage);
            let role = &STAGES[usize::from(stage) % STAGES.len()];
            self.add_thread(number, options.cores, role, format!("stage {}", stage + 1));
        }
    }

    /// Registers an object with the event of its creation: `info` without the
    /// object's address, and the index of the field for the stack pointer.
    fn add(
        &mut self,
        object_type: ObjectType,
        name: String,
        parameters: [u64; 2],
        event: u32,
        info: [u64; 3],
        stack_field: Option<u8>,
    ) -> u64 {
        let pointer = self.memory.allocate(CONTROL_BLOCK_BYTES);
        let [second, third, fourth] = info;
        self.creations.push(Creation {
            object_type,
            pointer,
            parameters,
            reserved: [0; 2],
            name,
            event: Some(CreationEvent {
                id: event,
                info: [pointer, second, third, fourth],
                stack_field,
            }),
            thread: None,
        });
        pointer
    }

    fn add_byte_pool(&mut self, name: String) -> Pool {
        let bytes = Pool::SLOTS * MAX_ALLOCATION_BYTES;
        let start = self.memory.allocate(bytes);
        let pointer = self.add(
            ObjectType::BYTE_POOL,
            name,
            [bytes, 0],
            id::BYTE_POOL_CREATE,
            [start, bytes, 0],
            Some(3),
        );
        Pool::new(pointer, start, MAX_ALLOCATION_BYTES)
    }

    fn add_block_pool(&mut self, name: String) -> Pool {
        let bytes = Pool::SLOTS * BLOCK_BYTES;
        let start = self.memory.allocate(bytes);
        let pointer = self.add(
            ObjectType::BLOCK_POOL,
            name,
            [bytes, BLOCK_BYTES],
            id::BLOCK_POOL_CREATE,
            [start, Pool::SLOTS, BLOCK_BYTES],
            None,
        );
        Pool::new(pointer, start, BLOCK_BYTES)
    }

    fn add_queue(&mut self, name: String, capacity: u64) -> u64 {
        let bytes = capacity * Queue::MESSAGE_WORDS * self.word_bytes;
        let start = self.memory.allocate(bytes);
        self.add(
            ObjectType::QUEUE,
            name,
            [bytes, Queue::MESSAGE_WORDS],
            id::QUEUE_CREATE,
            [Queue::MESSAGE_WORDS, start, bytes],
            None,
        )
    }

    fn add_semaphore(&mut self, name: String) -> u64 {
        let (event, info) = (id::SEMAPHORE_CREATE, [0; 3]);
        self.add(ObjectType::SEMAPHORE, name, [0; 2], event, info, Some(2))
    }

    fn add_mutex(&mut self, name: String, inherits: bool) -> u64 {
        let inherits = u64::from(inherits);
        let (event, info) = (id::MUTEX_CREATE, [inherits, 0, 0]);
        self.add(ObjectType::MUTEX, name, [inherits, 0], event, info, Some(2))
    }

    fn add_event_flags(&mut self, name: String) -> u64 {
        let (event, info) = (id::EVENT_FLAGS_CREATE, [0; 3]);
        self.add(ObjectType::EVENT_FLAGS, name, [0; 2], event, info, Some(1))
    }

    fn add_thread(&mut self, number: u16, cores: u8, role: &'static Role, name: String) {
        let core = number % u16::from(cores);
        let index_on_core = number / u16::from(cores);
        let group = usize::from(index_on_core) / ROLES.len();
        let stack_start = self.memory.allocate(role.stack_bytes);
        let pointer = self.add(
            ObjectType::THREAD,
            name,
            [stack_start, role.stack_bytes],
            id::THREAD_CREATE,
            [u64::from(role.priority), stack_start, role.stack_bytes],
            None,
        );
        let index = ThreadIndex(index_on_core);
        if let Some(creation) = self.creations.last_mut() {
            creation.reserved = [THREAD_PRIORITY_VALID, role.priority];
            creation.thread = Some((core as u8, index));
        }
        let kernel = &mut self.kernels[usize::from(core)];
        let work = kernel.timing.work(&mut kernel.random);
        // Controller threads use no objects.
        let last_set = kernel.sets.len().saturating_sub(1);
        kernel.threads.push(Thread {
            pointer,
            stack_start,
            number,
            state: ThreadState::Suspended,
            delayed_suspend: false,
            priority: role.priority,
            own_priority: role.priority,
            inherited_priority: NO_PRIORITY,
            role,
            step: 0,
            set: (group / GROUPS_PER_SET).min(last_set) as u16,
            flag: 1 << (group % GROUPS_PER_SET),
            work,
            block: None,
            bytes: None,
            slice: 0,
            deadline: 0,
            wait_target: WaitTarget::Time,
            next: None,
        });
    }
}

/// The first threads of a core are named after their roles.
fn thread_name(role: &Role, group: usize, number: u16, cores: u8) -> String {
    let core = number % u16::from(cores);
    match role.names.get(group) {
        Some(name) if cores > 1 => format!("{name} of core {core}"),
        Some(name) => (*name).into(),
        None => format!("thread {}", u32::from(number) + 1),
    }
}
