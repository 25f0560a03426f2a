/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope for NuttX: a note driver that records into a compact stream.
 *
 * Call rtoscope_note_start once, for example in board_late_initialize. A thread of low priority
 * sends the stream every few milliseconds, at most some containers at a time:
 *
 *     least = ++turns % 20 == 0 ? 0 : 512;
 *     for (count = 0; count < 4 && rto_stream_pending(&rtoscope_note_stream) >= least; count++) {
 *         write(uart, bytes, rtoscope_note_read(bytes, sizeof(bytes)));
 *     }
 */
#ifndef RTOSCOPE_NOTE_H
#define RTOSCOPE_NOTE_H

#include <nuttx/config.h>
#include <nuttx/irq.h>

/* The single-header recorder disables interrupts by itself on Cortex-M and RISC-V. */
#if !(defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M') && !defined(__riscv)
#define RTO_STREAM_DISABLE(before) ((before) = (uint32_t)up_irq_save())
#define RTO_STREAM_RESTORE(before) up_irq_restore((irqstate_t)(before))
#endif

#include "rtoscope_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stream that the driver records into. */
extern struct rto_stream rtoscope_note_stream;

/* Starts the stream in `size` words, at least 64, and registers the driver. Returns 0 or a
   negative errno: -EINVAL if the memory is too small, -ENOMEM if CONFIG_DRIVERS_NOTE_MAX drivers
   are registered already. */
int rtoscope_note_start(uint32_t *words, size_t size);

/* Reads the names of all tasks again. NuttX announces only new tasks: call this after
   pthread_setname_np. */
void rtoscope_note_update_names(void);

/* Moves the next bytes of the stream to `buffer` and returns their number, 0 if there is nothing
   new. `size` is in bytes, at least RTO_STREAM_MIN_READ. One thread may call it, at least once
   while the counter wraps. No other thread runs meanwhile: use a small buffer. */
size_t rtoscope_note_read(uint8_t *buffer, size_t size);

/* Records a point of interest with a value. Name the marker with rto_stream_name; numbers of
   markers and PIDs share the names. */
void rtoscope_note_marker(uint32_t marker, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
