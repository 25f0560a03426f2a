/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A note driver for NuttX that records into a compact stream. */
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_note.h"

#include <errno.h>
#include <sched.h>
#include <nuttx/clock.h>
#include <nuttx/note/note_driver.h>
#include <nuttx/sched.h>

#ifdef CONFIG_SMP
#error "rtoscope records one core"
#endif
#if !defined(CONFIG_SCHED_INSTRUMENTATION_SWITCH) \
    || !defined(CONFIG_SCHED_INSTRUMENTATION_IRQHANDLER)
#error "enable CONFIG_SCHED_INSTRUMENTATION_SWITCH and CONFIG_SCHED_INSTRUMENTATION_IRQHANDLER"
#endif

/* The clock: NuttX's performance counter, unless the build defines another. */
#ifndef RTOSCOPE_NOTE_TIME
#define RTOSCOPE_NOTE_TIME() perf_gettime()
#define RTOSCOPE_NOTE_HZ() perf_getfreq()
#endif

struct rto_stream rtoscope_note_stream;

/* The time of the entry that is being recorded. Interrupts stay disabled from the clock to the
   entry, so that times never go back. */
static volatile uint32_t ticks;

#define RECORD(call) \
  do { \
    uint32_t key; \
    RTO_STREAM_DISABLE(key); \
    ticks = (uint32_t)RTOSCOPE_NOTE_TIME(); \
    (call); \
    RTO_STREAM_RESTORE(key); \
  } while (0)

static void set_name(FAR struct tcb_s *tcb)
{
#if CONFIG_TASK_NAME_SIZE > 0
  if (tcb->pid != 0 && tcb->name[0] != '\0') {
    (void)rto_stream_name(&rtoscope_note_stream, (uint32_t)tcb->pid, tcb->name);
  }
#else
  (void)tcb;
#endif
}

/* For each task. */
static void name_and_find_running(FAR struct tcb_s *tcb, FAR void *argument)
{
  FAR struct tcb_s **const running = argument;

  set_name(tcb);
  if (tcb->task_state == TSTATE_TASK_RUNNING) {
    *running = tcb;
  }
}

/* NuttX announces only the first time that a task becomes ready: it is not recorded, because
   tasks with entries of some times would seem to wait at all others. */
static void note_start(FAR struct note_driver_s *driver, FAR struct tcb_s *tcb)
{
  (void)driver;
  set_name(tcb);
}

/* The name of a task that has ended makes room. */
static void note_stop(FAR struct note_driver_s *driver, FAR struct tcb_s *tcb)
{
  (void)driver;
  rto_stream_delete_thread(&rtoscope_note_stream, (uint32_t)tcb->pid);
}

static void note_suspend(FAR struct note_driver_s *driver, FAR struct tcb_s *tcb)
{
  enum rto_stream_wait_reason reason;

  (void)driver;
  if (tcb->pid == 0) {
    return;
  }
  switch ((int)tcb->task_state) {
  case TSTATE_TASK_PENDING:
  case TSTATE_TASK_READYTORUN:
  case TSTATE_TASK_RUNNING:
    return;
  case TSTATE_WAIT_SEM:
    reason = RTO_STREAM_WAIT_SEMAPHORE;
    break;
  case TSTATE_WAIT_SIG:
    reason = RTO_STREAM_WAIT_SLEEP;
    break;
#ifdef CONFIG_SCHED_EVENTS
  case TSTATE_WAIT_EVENT:
    reason = RTO_STREAM_WAIT_EVENT_FLAGS;
    break;
#endif
#if !defined(CONFIG_DISABLE_MQUEUE) || !defined(CONFIG_DISABLE_MQUEUE_SYSV)
  case TSTATE_WAIT_MQNOTEMPTY:
  case TSTATE_WAIT_MQNOTFULL:
    reason = RTO_STREAM_WAIT_QUEUE;
    break;
#endif
#ifdef CONFIG_SIG_SIGSTOP_ACTION
  case TSTATE_TASK_STOPPED:
#endif
  case TSTATE_TASK_INVALID:
  case TSTATE_TASK_INACTIVE:
    reason = RTO_STREAM_WAIT_SUSPENDED;
    break;
  default:
    reason = RTO_STREAM_WAIT_OTHER;
    break;
  }
  RECORD(rto_stream_wait(&rtoscope_note_stream, reason));
}

/* Task 0 is the idle task. */
static void note_resume(FAR struct note_driver_s *driver, FAR struct tcb_s *tcb)
{
  (void)driver;
  if (tcb->pid == 0) {
    RECORD(rto_stream_idle(&rtoscope_note_stream));
  } else if (tcb->pid <= 255) {
    RECORD(rto_stream_resume_short(&rtoscope_note_stream, (uint8_t)tcb->pid));
  } else {
    RECORD(rto_stream_resume(&rtoscope_note_stream, (uint32_t)tcb->pid));
  }
}

static void note_irqhandler(FAR struct note_driver_s *driver, int irq, FAR void *handler,
                            bool enter)
{
  const uint8_t number = (uint8_t)(irq < 255 ? irq : 255);

  (void)driver;
  (void)handler;
  if (enter) {
    RECORD(rto_stream_isr_enter(&rtoscope_note_stream, number));
  } else {
    RECORD(rto_stream_isr_exit(&rtoscope_note_stream, number));
  }
}

static const struct note_driver_ops_s operations = {
    .start = note_start,
    .stop = note_stop,
    .suspend = note_suspend,
    .resume = note_resume,
    .irqhandler = note_irqhandler,
};

static struct note_driver_s driver = {
#ifdef CONFIG_SCHED_INSTRUMENTATION_FILTER
    .name = "rtoscope",
    .filter.mode.flag = NOTE_FILTER_MODE_FLAG_ENABLE | NOTE_FILTER_MODE_FLAG_SWITCH
                        | NOTE_FILTER_MODE_FLAG_IRQ,
#endif
    .ops = &operations,
};

int rtoscope_note_start(uint32_t *words, size_t size)
{
  FAR struct tcb_s *running = NULL;
  int result = -EINVAL;

  sched_lock();
  ticks = (uint32_t)RTOSCOPE_NOTE_TIME();
  if (rto_stream_start(&rtoscope_note_stream, words, size, &ticks,
                       (uint32_t)RTOSCOPE_NOTE_HZ())) {
    nxsched_foreach(name_and_find_running, &running);
    if (running != NULL) {
      note_resume(&driver, running);
    }
    result = note_driver_register(&driver);
    if (result < 0) {
      rto_stream_stop(&rtoscope_note_stream);
    }
  }
  sched_unlock();
  return result;
}

void rtoscope_note_update_names(void)
{
  FAR struct tcb_s *running = NULL;

  sched_lock();
  nxsched_foreach(name_and_find_running, &running);
  sched_unlock();
}

void rtoscope_note_marker(uint32_t marker, uint32_t value)
{
  RECORD(rto_stream_marker(&rtoscope_note_stream, marker, value));
}

/* No thread changes a name while names are sent: the scheduler is locked. */
size_t rtoscope_note_read(uint8_t *buffer, size_t size)
{
  size_t length;

  sched_lock();
  RECORD((void)0);
  length = rto_stream_read(&rtoscope_note_stream, buffer, size);
  sched_unlock();
  return length;
}
