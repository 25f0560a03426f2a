/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: writes a trace to a stimulus port of the Instrumentation Trace Macrocell of Cortex-M3
 * and larger processors, which sends it through the SWO pin. A single header without a library.
 *
 *     rto_itm_enable(0);
 *     ...
 *     rto_itm_write(0, bytes, length);
 *
 * The debugger, or the program, sets up the pin, its rate and the trace clock.
 */
#ifndef RTOSCOPE_ITM_H
#define RTOSCOPE_ITM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Access to the registers, by their offsets. May be defined before the header is included. */
#ifndef RTO_ITM_READ
#define RTO_ITM_BASE 0xE0000000u
#define RTO_ITM_READ(offset) (*(volatile uint32_t *)(RTO_ITM_BASE + (offset)))
#define RTO_ITM_WRITE32(offset, word) \
  (*(volatile uint32_t *)(RTO_ITM_BASE + (offset)) = (word))
#define RTO_ITM_WRITE8(offset, byte) (*(volatile uint8_t *)(RTO_ITM_BASE + (offset)) = (byte))
#endif

/* Offsets of the registers: trace enable, trace control, lock access. */
#define RTO_ITM_TER 0xE00u
#define RTO_ITM_TCR 0xE80u
#define RTO_ITM_LAR 0xFB0u

/* Enables a stimulus port, 0 to 31. */
static inline void rto_itm_enable(uint32_t port)
{
  RTO_ITM_WRITE32(RTO_ITM_LAR, 0xC5ACCE55u);
  RTO_ITM_WRITE32(RTO_ITM_TCR, RTO_ITM_READ(RTO_ITM_TCR) | 1u | 1u << 16);
  RTO_ITM_WRITE32(RTO_ITM_TER, RTO_ITM_READ(RTO_ITM_TER) | 1u << port);
}

/* Writes bytes to a stimulus port, and waits for room. Returns the number of bytes, 0 if the port
   is not enabled. One thread may call it for a port. */
static inline size_t rto_itm_write(uint32_t port, const uint8_t *bytes, size_t count)
{
  const uint32_t offset = 4u * port;
  size_t byte = 0;

  if ((RTO_ITM_READ(RTO_ITM_TCR) & 1u) == 0 ||
      (RTO_ITM_READ(RTO_ITM_TER) & 1u << port) == 0) {
    return 0;
  }
  while (byte < count) {
    while ((RTO_ITM_READ(offset) & 1u) == 0) {
    }
    if (count - byte >= 4u) {
      RTO_ITM_WRITE32(offset, (uint32_t)bytes[byte] | (uint32_t)bytes[byte + 1] << 8 |
                                  (uint32_t)bytes[byte + 2] << 16 |
                                  (uint32_t)bytes[byte + 3] << 24);
      byte += 4u;
    } else {
      RTO_ITM_WRITE8(offset, bytes[byte]);
      byte++;
    }
  }
  return byte;
}

#ifdef __cplusplus
}
#endif

#endif /* RTOSCOPE_ITM_H */
