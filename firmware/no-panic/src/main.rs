//! Links all functions of the recorders. The panic handler calls a function that does not
//! exist, so that the program does not link if any of them can panic.
//!
//! With the feature `panic`, one of them can.
#![no_std]
#![no_main]

use core::hint::black_box;
use rtoscope_record::black_box::{BlackBoxMemory, CaptureFault as _, FaultRecord};
use rtoscope_record::cswitch::{
    BufferMode, ByteSink, CswlWriter, FinishedLog, LogReader, ReadableMemory, SwitchLog, write_raw,
};
use rtoscope_record::hooks::{KernelObserver as _, StreamObserver};
use rtoscope_record::port::CounterRegister;
use rtoscope_record::rkh::{self, FilterBits, OverrunPolicy, StreamConfiguration, StreamSetup};
use rtoscope_record::stream::{CompactStream, EntryGroup};
use rtoscope_record::threadx::{self, FullBuffer, TraceMemory, Ulong};

boot::never_panic!();

#[cfg(target_arch = "riscv32")]
use rtoscope_record::port::MachineInterrupts as Mask;
#[cfg(target_arch = "arm")]
use rtoscope_record::port::Primask as Mask;

/// Links functions of a type.
macro_rules! link {
    ($type:ty: $($name:ident),* $(,)?) => {
        $(black_box(<$type>::$name as *const ());)*
    };
}

type TraceRecorder = threadx::ThreadXRecorder<Mask, CounterRegister>;
type SwitchRecorder = SwitchLog<Mask, CounterRegister>;
type StreamRecorder = rkh::RkhRecorder<FilteredSetup, Mask, CounterRegister>;
type CompactRecorder = CompactStream<Mask, CounterRegister>;
type FlightRecorder = rkh::RkhRecorder<OverwritingSetup, Mask, CounterRegister>;

/// A stream with all optional fields of a record.
enum FilteredSetup {}

impl StreamSetup for FilteredSetup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration {
        sender: true,
        queue_low_water: true,
        pool_low_water: true,
        ..StreamConfiguration::DEFAULT
    };
    type Objects = FilterBits<8>;
    type Signals = FilterBits<32>;
}

/// A stream that overwrites its oldest bytes.
enum OverwritingSetup {}

impl StreamSetup for OverwritingSetup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    const OVERRUN: OverrunPolicy = OverrunPolicy::OverwriteOldest;
    type Objects = FilterBits<8>;
    type Signals = FilterBits<32>;
}

/// Discards saved files.
struct NullSink;

impl ByteSink for NullSink {
    fn write(&mut self, bytes: &[u8]) {
        black_box(bytes);
    }
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    black_box(trace_events as *const ());
    black_box(trace_control as *const ());
    black_box(switch_log as *const ());
    black_box(save as *const ());
    black_box(reset as *const ());
    black_box(stream_records as *const ());
    black_box(stream_control as *const ());
    black_box(receive as *const ());
    black_box(compact_stream as *const ());
    black_box(observe as *const ());
    #[cfg(feature = "panic")]
    assert_ne!(black_box(1), 1);
    loop {
        core::hint::spin_loop();
    }
}

fn trace_control() {
    link! {
        TraceRecorder:
        enter_thread, enter_idle, enter_interrupt, leave_interrupt, isr_enter, isr_exit,
        resume, suspend, dispatch, block_allocate, byte_allocate, insert, try_insert,
        user_event, try_user_event, complete_field, register, try_register, register_thread,
        try_register_thread, register_raw, register_thread_raw, unregister, try_unregister,
        enable_raw, disable, take_buffer, is_enabled, event_filter, event_unfilter,
        buffer_full_notify, buffer_full_notify_raw, with_timer_mask, read_new,
    }
    link!(threadx::TraceCursor: new, forget_objects, overwritten_entries);
    link!(FullBuffer<'static>: bytes, disable);
    black_box(enable as *const ());
}

fn enable(trace: &TraceRecorder, memory: TraceMemory<Ulong>, registry_entries: usize) {
    black_box(trace.enable(memory, registry_entries)).ok();
}

fn trace_events() {
    link! {
        TraceRecorder:
        time_slice, running, block_pool_create, block_pool_delete, block_pool_info_get,
        block_pool_performance_info_get, block_pool_performance_system_info_get,
        block_pool_prioritize, block_release, byte_pool_create, byte_pool_delete,
        byte_pool_info_get, byte_pool_performance_info_get,
        byte_pool_performance_system_info_get, byte_pool_prioritize, byte_release,
        event_flags_create, event_flags_delete, event_flags_get, event_flags_info_get,
        event_flags_performance_info_get, event_flags_performance_system_info_get,
        event_flags_set, event_flags_set_notify, interrupt_control, mutex_create, mutex_delete,
        mutex_get, mutex_info_get, mutex_performance_info_get,
        mutex_performance_system_info_get, mutex_prioritize, mutex_put, queue_create,
        queue_delete, queue_flush, queue_front_send, queue_info_get,
        queue_performance_info_get, queue_performance_system_info_get, queue_prioritize,
        queue_receive, queue_send, queue_send_notify, semaphore_ceiling_put, semaphore_create,
        semaphore_delete, semaphore_get, semaphore_info_get, semaphore_performance_info_get,
        semaphore_performance_system_info_get, semaphore_prioritize, semaphore_put,
        semaphore_put_notify, thread_create, thread_delete, thread_entry_exit_notify,
        thread_identify, thread_info_get, thread_performance_info_get,
        thread_performance_system_info_get, thread_preemption_change, thread_priority_change,
        thread_relinquish, thread_reset, thread_resume, thread_sleep,
        thread_stack_error_notify, thread_suspend, thread_terminate, thread_time_slice_change,
        thread_wait_abort, time_get, time_set, timer_activate, timer_change, timer_create,
        timer_deactivate, timer_delete, timer_info_get, timer_performance_info_get,
        timer_performance_system_info_get,
    }
}

fn switch_log() {
    link! {
        SwitchRecorder:
        is_on, start, start_raw, stop, snapshot, lost, idle_ticks, record, sleep, wake,
        sync_resume, async_resume, isr_return, isr_enter, isr_exit, interrupts_disabled,
        interrupts_restored,
    }
    link!(FinishedLog: snapshot, memory, oldest_index, entries, into_buffer);
    link!(LogReader<'static, SwitchRecorder>: new, read, overwritten);
}

/// Saves a log in both formats.
fn save(log: &SwitchRecorder, finished: &FinishedLog, names: ReadableMemory<'_>, text: &str) {
    let mut file = CswlWriter::new(NullSink, 0, 32, 1);
    file.write_core(black_box(0), log, names);
    file.write_core(black_box(1), finished, names);
    file.write_symbol(black_box(0), black_box(0), text);
    black_box(file.finish());
    write_raw(finished, NullSink);
}

/// A black box: boot and fault.
fn reset(
    memory: BlackBoxMemory,
    log: &SwitchRecorder,
    trace: &TraceRecorder,
    fault: &FaultRecord,
    names: ReadableMemory<'_>,
) {
    // SAFETY: it is not called.
    unsafe {
        if let Some(recovery) = memory.recover() {
            black_box((recovery.boot_count(), recovery.fault(), recovery.bytes()));
            recovery.save(NullSink, 0, 32, names);
        }
        memory.discard();
        black_box(memory.start_log(log, BufferMode::Cyclic));
        black_box(memory.start_trace(trace, black_box(8)).is_ok());
        black_box(BlackBoxMemory::from_raw(
            core::ptr::null_mut(),
            black_box(8),
        ));
        #[cfg(target_arch = "arm")]
        black_box(FaultRecord::from_cortex_m(core::ptr::null(), black_box(0)));
        #[cfg(target_arch = "riscv32")]
        black_box(FaultRecord::from_riscv(black_box(0), 0));
    }
    black_box(memory.freeze_log(log, fault));
    black_box(memory.freeze_trace(trace, fault));
}

fn stream_control() {
    link! {
        StreamRecorder:
        start, start_raw, restart, stop, take, available, lost, pass, suppress, record_by_id, fwk_tcfg,
        fwk_assert, ut_expect, user, user_passes,
    }
    link!(FlightRecorder: start, restart, stop, take, available, lost, sm_trn, fwk_ao, user);
}

/// A byte from the host.
fn receive(stream: &StreamRecorder, parser: &mut rkh::HostMessageParser, byte: u8) {
    black_box(stream.receive(parser, byte));
}

fn compact_stream(stream: &CompactRecorder, group: EntryGroup) {
    link! {
        CompactRecorder:
        start, restart, stop, pause, name, name_handler, resend_names, filter_marker, read, take,
        lost, resume, resume_short, idle, ready, ready_short, wait, isr_enter, isr_exit, isr_return,
        marker_begin, marker_end, marker,
    }
    stream.filter(group, black_box(true));
}

/// The calls of a kernel.
fn observe(tasks: &StreamObserver<'_, Mask, CounterRegister, Mask>, task: u32) {
    tasks.task_new(task, black_box(Some("task")));
    tasks.task_ready(task);
    tasks.poll_begin(task);
    tasks.task_exec_begin(task);
    tasks.task_blocked(task);
    tasks.task_terminated(task);
    tasks.task_exec_end();
    tasks.poll_end(task);
    tasks.system_idle();
    tasks.isr_enter();
    tasks.isr_exit();
}

fn stream_records() {
    link! {
        StreamRecorder:
        fwk_en, fwk_ex, fwk_epreg, fwk_ae, fwk_gc, fwk_gcr, fwk_exe_fun, fwk_sync_evt, sm_init,
        sm_clrh, sm_trn, sm_state, sm_enstate, sm_exstate, sm_nenex, sm_ntrnact, sm_ts_state,
        sm_evt_proc, sm_evt_nfound, sm_grd_false, sm_cnd_nfound, sm_unkn_state, sm_ex_hlevel,
        sm_ex_tseg, sm_exe_act, sm_dch, ut_init, ut_cleanup, ut_verify, ut_ignore_group,
        ut_expect_anyargs, ut_ignore, ut_ignore_arg, fwk_obj, fwk_sig, fwk_fun, fwk_tusr,
        fwk_ao, fwk_state, fwk_pstate, fwk_timer, fwk_epool, fwk_queue, fwk_actor, mp_init,
        mp_get, mp_put, que_init, que_get, que_fifo, que_lifo, que_full, que_dpt, que_get_last,
        sma_act, sma_term, sma_get, sma_fifo, sma_lifo, sma_reg, sma_unreg, sma_defer,
        sma_rcall, tmr_init, tmr_start, tmr_stop, tmr_tout, tmr_rem,
    }
}
