/* What rtoscope_note.c uses of NuttX, with its names and types, for a test on a PC. */
#ifndef TEST_NUTTX_SCHED_H
#define TEST_NUTTX_SCHED_H

#include <stdint.h>

enum tstate_e {
  TSTATE_TASK_INVALID = 0,
  TSTATE_TASK_PENDING,
  TSTATE_TASK_READYTORUN,
  TSTATE_TASK_RUNNING,
  TSTATE_TASK_INACTIVE,
  TSTATE_WAIT_SEM,
  TSTATE_WAIT_SIG,
  TSTATE_WAIT_MQNOTEMPTY,
  TSTATE_WAIT_MQNOTFULL
};

struct tcb_s {
  int pid;
  uint8_t task_state;
  char name[CONFIG_TASK_NAME_SIZE + 1];
};

typedef void (*nxsched_foreach_t)(FAR struct tcb_s *tcb, FAR void *arg);
void nxsched_foreach(nxsched_foreach_t handler, FAR void *arg);
int sched_lock(void);
int sched_unlock(void);

#endif
