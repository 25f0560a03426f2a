/* What rtoscope_zephyr.c uses of Zephyr, with its names and types, for a test on a PC. */
#ifndef TEST_KERNEL_H
#define TEST_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_RTOSCOPE_WORDS 256
#define CONFIG_RTOSCOPE_NAMES 8
#define ARG_UNUSED(x) (void)(x)
#define K_IDLE_PRIO 15
#define _THREAD_PENDING 0x02
#define _THREAD_SLEEPING 0x04
#define _THREAD_DEAD 0x08
#define _THREAD_SUSPENDED 0x10

struct k_thread {
  struct {
    int8_t prio;
    uint8_t thread_state;
  } base;
  const char *name;
};
typedef struct k_thread *k_tid_t;
typedef struct {
  int64_t ticks;
} k_timeout_t;
struct k_sem;
struct k_mutex;
struct k_msgq;
struct k_event;

k_tid_t k_sched_current_thread_query(void);
const char *k_thread_name_get(k_tid_t thread);
uint32_t k_cycle_get_32(void);
int sys_clock_hw_cycles_per_sec(void);
void k_sched_lock(void);
void k_sched_unlock(void);
unsigned int arch_irq_lock(void);
void arch_irq_unlock(unsigned int key);

#endif
