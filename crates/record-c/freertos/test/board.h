/*
 * What the programs need from a board: Arm's MPS2+ with image AN385 and RISC-V's "virt", which QEMU
 * emulates, and the POSIX port.
 */
#ifndef BOARD_H
#define BOARD_H

#include "FreeRTOS.h"

#include <stddef.h>
#include <stdint.h>

/* The counter of the recorder, which counts up and wraps after 32 bits. */
#if defined(__arm__)
/* 25 MHz; QEMU lacks DWT_CYCCNT. */
#define COUNTER ((volatile const uint32_t *)0x40028018u)
#define COUNTER_HZ 25000000u
#elif defined(__riscv)
#define COUNTER ((volatile const uint32_t *)0x0200BFF8u)
#define COUNTER_HZ 10000000u
#else
#define COUNTER ((volatile const uint32_t *)&rto_freertos_clock)
#define COUNTER_HZ RTO_FREERTOS_CLOCK_HZ
#endif

/* Where constant texts are. */
#if defined(__arm__)
#define CONSTANTS_START ((const char *)4)
#define CONSTANTS_END ((const char *)0x00400000)
#elif defined(__riscv)
extern const char bss_start[];
#define CONSTANTS_START ((const char *)0x80000000u)
#define CONSTANTS_END bss_start
#else
extern const char __executable_start[], edata[];
#define CONSTANTS_START __executable_start
#define CONSTANTS_END edata
#endif

/* Before V11, the handler of Cortex-M's tick and portYIELD_FROM_ISR call no trace macros. */
#include "task.h"
#if tskKERNEL_VERSION_MAJOR < 11
#define TRACE_ISR_EXIT() traceISR_EXIT()
#else
#define TRACE_ISR_EXIT() ((void)0)
#endif

/* The handler of the application: where the board has none, it is called by the tick. */
extern void sample(void);

/* Starts serial port and counter. */
void board_start(void);

/* Starts the interrupt of the application, 2000 times a second. */
void board_start_interrupts(void);

/* The number of the interrupt of the application; 0 if the tick calls it. */
uint32_t board_interrupt(void);

/* The present value of the counter. */
uint32_t board_now(void);

/* Sends a byte through the serial port, and takes one: -1 if there is none. */
void board_send(uint8_t byte);
int board_receive(void);

/* Writes a file on the host. */
void board_write_file(const char *name, const void *bytes, size_t count);

/* Ends the program. */
void board_exit(int code);

#endif
