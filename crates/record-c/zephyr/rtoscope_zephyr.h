/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope for Zephyr: the hooks of CONFIG_TRACING_USER record into a compact stream.
 *
 * CONFIG_RTOSCOPE starts the stream when the kernel has started. A thread of low priority sends
 * it every few milliseconds, at most some containers at a time:
 *
 *     least = ++turns % 20 == 0 ? 0 : 512;
 *     for (count = 0; count < 4 && rto_stream_pending(&rtoscope_stream) >= least; count++) {
 *         send(bytes, rtoscope_read(bytes, sizeof(bytes)));
 *     }
 */
#ifndef RTOSCOPE_ZEPHYR_H
#define RTOSCOPE_ZEPHYR_H

#include <zephyr/kernel.h>

#define RTO_STREAM_NAMES CONFIG_RTOSCOPE_NAMES

/* The single-header recorder disables interrupts by itself on Cortex-M and RISC-V. */
#if !defined(CONFIG_CPU_CORTEX_M) && !defined(CONFIG_RISCV)
#define RTO_STREAM_DISABLE(before) ((before) = arch_irq_lock())
#define RTO_STREAM_RESTORE(before) arch_irq_unlock(before)
#endif

#include "rtoscope_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stream that the hooks record into. For entries of your own, use rtoscope_marker. */
extern struct rto_stream rtoscope_stream;

/* Moves the next bytes of the stream to `buffer` and returns their number, 0 if there is nothing
   new. `size` is in bytes, at least RTO_STREAM_MIN_READ. One thread may call it, at least once
   while the counter wraps. No other thread runs meanwhile: use a small buffer. */
size_t rtoscope_read(uint8_t *buffer, size_t size);

/* Records a point of interest with a value. Name the marker with rto_stream_name. */
void rtoscope_marker(uint32_t marker, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
