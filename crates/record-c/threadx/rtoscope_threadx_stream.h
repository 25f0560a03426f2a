/* SPDX-License-Identifier: MIT OR Apache-2.0 */
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

/* The fields of a thread: the entries that it resumes and becomes ready, and the number in both, from 1
   on. */
#define RTO_THREADX_FIELDS \
    unsigned rto_resume; \
    unsigned rto_ready;
#define RTO_THREADX_NUMBER(thread) ((thread)->rto_resume >> 6)

#ifndef RTO_THREADX_HAS_FIELDS
#ifdef TX_THREAD_USER_EXTENSION
#error "add RTO_THREADX_FIELDS to TX_THREAD_USER_EXTENSION, and define RTO_THREADX_HAS_FIELDS"
#endif
#define TX_THREAD_USER_EXTENSION RTO_THREADX_FIELDS
#endif

struct TX_THREAD_STRUCT;

/* A thread is created: names it. */
void rto_threadx_created(struct TX_THREAD_STRUCT *thread);

/* A thread is deleted: its number and the place of its name are free. */
void rto_threadx_deleted(struct TX_THREAD_STRUCT *thread);

/* A thread becomes ready. */
void rto_threadx_ready(struct TX_THREAD_STRUCT *thread);

#define TX_THREAD_CREATE_INTERNAL_EXTENSION(thread) rto_threadx_created(thread);
#define TX_THREAD_DELETE_PORT_COMPLETION(thread) rto_threadx_deleted(thread);
#define TX_THREAD_STATE_CHANGE(thread, state) \
    { \
        if ((state) == TX_READY) { \
            rto_threadx_ready(thread); \
        } \
    }

#endif

#endif
