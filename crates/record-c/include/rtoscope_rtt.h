/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: a channel of SEGGER's Real Time Transfer. A debug probe reads the bytes from memory
 * while the target runs, and writes commands of the host there. A single header without a
 * library, and without SEGGER's code.
 *
 *     #define RTO_RTT_IMPLEMENTATION
 *     #include "rtoscope_rtt.h"
 *
 * in one source file defines the functions and the control block; other files include the header
 * only.
 *
 *     static uint8_t to_host[4096], to_target[16];
 *
 *     rto_rtt_start(to_host, sizeof(to_host), to_target, sizeof(to_target));
 *
 * A program that contains SEGGER's own implementation uses that instead, with a channel named
 * "rtoscope": SEGGER_RTT_ConfigUpBuffer and SEGGER_RTT_Write.
 */
#ifndef RTOSCOPE_RTT_H
#define RTOSCOPE_RTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A ring that one side writes and the other one reads. */
struct rto_rtt_ring {
  const char *name;
  uint8_t *buffer;
  unsigned size;
  volatile unsigned write;
  volatile unsigned read;
  unsigned flags;
};

/* The control block, which debug probes find by its first 16 bytes: one channel to the host and
   one to the target. */
struct rto_rtt {
  char identification[16];
  int channels_to_host;
  int channels_to_target;
  struct rto_rtt_ring to_host;
  struct rto_rtt_ring to_target;
};

extern struct rto_rtt _SEGGER_RTT;

/* Starts both channels, named "rtoscope", in memory that only they use. A channel with `size`
   bytes holds one byte less. */
void rto_rtt_start(void *to_host, size_t to_host_size, void *to_target, size_t to_target_size);

/* Number of bytes that the channel to the host has room for. */
size_t rto_rtt_room(void);

/* Writes bytes for the host. Returns false, and writes nothing, if they do not fit. One thread
   may call it at a time. */
bool rto_rtt_write(const void *bytes, size_t count);

/* Moves bytes of the host to `bytes` and returns their number, at most `size`. One thread may
   call it at a time. */
size_t rto_rtt_read(void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_RTT_H */

#if defined(RTO_RTT_IMPLEMENTATION) && !defined(RTO_RTT_IMPLEMENTED)
#define RTO_RTT_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

struct rto_rtt _SEGGER_RTT;

/* The bytes must be in memory before the position that shows them. */
#if defined(__GNUC__) && !defined(__CC_ARM)
#define RTO_RTT_BARRIER() __sync_synchronize()
#elif defined(__CC_ARM)
#define RTO_RTT_BARRIER() __dmb(0xF)
#elif defined(__ICCARM__)
#include <intrinsics.h>
#define RTO_RTT_BARRIER() __DMB()
#else
#define RTO_RTT_BARRIER() ((void)0)
#endif

static void rto_rtt_start_ring(struct rto_rtt_ring *ring, void *buffer, size_t size)
{
  ring->name = "rtoscope";
  ring->buffer = (uint8_t *)buffer;
  ring->size = (unsigned)size;
  ring->write = 0;
  ring->read = 0;
  ring->flags = 0;
}

void rto_rtt_start(void *to_host, size_t to_host_size, void *to_target, size_t to_target_size)
{
  /* Complete only at run time, so that a probe does not find a copy in flash. */
  static const char reversed[] = "TTR REGGES";
  struct rto_rtt *const rtt = &_SEGGER_RTT;
  unsigned byte;

  for (byte = 0; byte < sizeof(rtt->identification); byte++) {
    rtt->identification[byte] = '\0';
  }
  RTO_RTT_BARRIER();
  rto_rtt_start_ring(&rtt->to_host, to_host, to_host_size);
  rto_rtt_start_ring(&rtt->to_target, to_target, to_target_size);
  rtt->channels_to_host = 1;
  rtt->channels_to_target = 1;
  RTO_RTT_BARRIER();
  for (byte = 0; byte < sizeof(reversed) - 1u; byte++) {
    rtt->identification[byte] = reversed[sizeof(reversed) - 2u - byte];
  }
  RTO_RTT_BARRIER();
}

static unsigned rto_rtt_filled(const struct rto_rtt_ring *ring)
{
  const unsigned write = ring->write, read = ring->read;

  return write >= read ? write - read : ring->size - read + write;
}

size_t rto_rtt_room(void)
{
  const struct rto_rtt_ring *const ring = &_SEGGER_RTT.to_host;

  return ring->size == 0 ? 0 : ring->size - 1u - rto_rtt_filled(ring);
}

/* Copies words as far as possible. */
static void rto_rtt_copy(uint8_t *to, const uint8_t *from, size_t count)
{
#if defined(__GNUC__)
  struct unaligned {
    uint32_t word;
  } __attribute__((packed, may_alias));

  for (; count >= 4u; count -= 4u) {
    ((struct unaligned *)to)->word = ((const struct unaligned *)from)->word;
    to += 4;
    from += 4;
  }
#endif
  for (; count > 0; count--) {
    *to++ = *from++;
  }
}

bool rto_rtt_write(const void *bytes, size_t count)
{
  struct rto_rtt_ring *const ring = &_SEGGER_RTT.to_host;
  const uint8_t *const from = (const uint8_t *)bytes;
  const unsigned write = ring->write;
  /* Up to the end of the ring. */
  const size_t first = ring->size - write < count ? ring->size - write : count;

  if (count > rto_rtt_room()) {
    return false;
  }
  rto_rtt_copy(ring->buffer + write, from, first);
  rto_rtt_copy(ring->buffer, from + first, count - first);
  RTO_RTT_BARRIER();
  ring->write = write + (unsigned)count < ring->size ? write + (unsigned)count
                                                     : (unsigned)(count - first);
  return true;
}

size_t rto_rtt_read(void *bytes, size_t size)
{
  struct rto_rtt_ring *const ring = &_SEGGER_RTT.to_target;
  uint8_t *const to = (uint8_t *)bytes;
  unsigned read = ring->read;
  size_t byte, count = rto_rtt_filled(ring);

  if (count > size) {
    count = size;
  }
  RTO_RTT_BARRIER();
  for (byte = 0; byte < count; byte++) {
    to[byte] = ring->buffer[read];
    read = read + 1u == ring->size ? 0 : read + 1u;
  }
  RTO_RTT_BARRIER();
  ring->read = read;
  return count;
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_RTT_IMPLEMENTATION */
