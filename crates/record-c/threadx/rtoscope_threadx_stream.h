/*
 * rtoscope: ThreadX's hooks for the compact stream. Include this file as the last line of
 * tx_user.h, and build ThreadX, with its assembly, and the application with
 *
 *     TX_INCLUDE_USER_DEFINE_FILE
 *     TX_ENABLE_EXECUTION_CHANGE_NOTIFY
 *
 * Compile rtoscope_threadx_stream.c into the program, without tx_execution_profile.c, which
 * defines the same functions. Each interrupt handler calls _tx_execution_isr_enter first and
 * _tx_execution_isr_exit last, as ThreadX requires.
 */
#ifndef RTOSCOPE_THREADX_STREAM_H
#define RTOSCOPE_THREADX_STREAM_H

#ifndef __ASSEMBLER__

/* The fields of a thread: its number in the stream, and whether it is ready. */
#define RTO_THREADX_FIELDS \
    unsigned rto_number; \
    unsigned rto_is_ready;

#ifdef TX_THREAD_USER_EXTENSION
#error "include rtoscope_threadx_stream.h before TX_THREAD_USER_EXTENSION, and add RTO_THREADX_FIELDS to it"
#endif
#ifndef RTO_THREADX_HAS_FIELDS
#define TX_THREAD_USER_EXTENSION RTO_THREADX_FIELDS
#endif

struct TX_THREAD_STRUCT;

/* A thread is created: names it. */
void rto_threadx_created(struct TX_THREAD_STRUCT *thread);

/* A thread is deleted: its number and the place of its name are free. */
void rto_threadx_deleted(struct TX_THREAD_STRUCT *thread);

/* The state of a thread changes: it becomes ready, or stops being ready. */
void rto_threadx_state(struct TX_THREAD_STRUCT *thread, unsigned state);

#define TX_THREAD_CREATE_INTERNAL_EXTENSION(thread) rto_threadx_created(thread);
#define TX_THREAD_DELETE_PORT_COMPLETION(thread) rto_threadx_deleted(thread);
#define TX_THREAD_STATE_CHANGE(thread, state) rto_threadx_state(thread, state);

#endif

#endif
