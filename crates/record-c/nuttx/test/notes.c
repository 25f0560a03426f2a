/* Calls the note driver as NuttX's scheduler does. Writes the stream, kernel.cswl, and the events
   that must be in it, kernel.txt. */
#include <stdio.h>

#include "rtoscope_note.h"
#include <nuttx/clock.h>
#include <nuttx/note/note_driver.h>
#include <nuttx/sched.h>

static struct tcb_s idle = {0, TSTATE_TASK_READYTORUN, "Idle_Task"},
                    init = {2, TSTATE_TASK_RUNNING, "nsh_main"},
                    worker = {300, TSTATE_TASK_INACTIVE, "worker"};
static struct tcb_s *current = &init;
static struct note_driver_s *registered;
static uint64_t now = 0xFFFFFF00u;
static unsigned locked, masked, drivers;
static FILE *truth;

uint64_t perf_gettime(void)
{
  /* Wrong while interrupts are enabled: one before the entry would turn time back. */
  return masked > 0 || truth == NULL ? now : 0;
}

unsigned long perf_getfreq(void)
{
  return 1000000;
}

irqstate_t up_irq_save(void)
{
  return masked++;
}

void up_irq_restore(irqstate_t flags)
{
  masked = flags;
}

int sched_lock(void)
{
  locked++;
  return 0;
}

int sched_unlock(void)
{
  locked--;
  return 0;
}

void nxsched_foreach(nxsched_foreach_t handler, void *argument)
{
  handler(&idle, argument);
  handler(&init, argument);
}

int note_driver_register(struct note_driver_s *driver)
{
  if (drivers == 0) {
    return -12;
  }
  registered = driver;
  return 0;
}

static void expect(unsigned kind, uint32_t operand, uint32_t value)
{
  fprintf(truth, "%lu %u %lu %lu\n", (unsigned long)now, kind, (unsigned long)operand,
          (unsigned long)value);
}

/* Switches to a task; the running one has a state and, if `reason` is not negative, waits. */
static void swap(struct tcb_s *to, enum tstate_e state, int reason)
{
  now += 10;
  current->task_state = (uint8_t)state;
  if (reason >= 0) {
    expect(RTO_STREAM_WAIT, (uint32_t)reason, 0);
  }
  registered->ops->suspend(registered, current);
  now += 5;
  current = to;
  to->task_state = TSTATE_TASK_RUNNING;
  expect(to == &idle ? RTO_STREAM_SLEEP : RTO_STREAM_RESUME, (uint32_t)to->pid, 0);
  registered->ops->resume(registered, to);
}

static void interrupt(int irq, uint32_t number)
{
  now += 100;
  expect(RTO_STREAM_ISR_ENTER, number, 0);
  registered->ops->irqhandler(registered, irq, NULL, true);
  now += 4;
  expect(RTO_STREAM_ISR_EXIT, number, 0);
  registered->ops->irqhandler(registered, irq, NULL, false);
}

int main(void)
{
  static uint32_t words[128];
  static uint8_t bytes[4096];
  size_t length;
  FILE *file;

  if (rtoscope_note_start(words, 63) >= 0 || rtoscope_note_start(words, 128) != -12) {
    return 1;
  }
  drivers = 1;
  if (rtoscope_note_start(words, 128) != 0) {
    return 2;
  }
  truth = fopen("kernel.txt", "w");
  file = fopen("kernel.cswl", "wb");
  if (truth == NULL || file == NULL) {
    return 3;
  }
  expect(RTO_STREAM_RESUME, 2, 0);
  registered->ops->start(registered, &worker);
  swap(&worker, TSTATE_TASK_READYTORUN, -1);
  swap(&init, TSTATE_WAIT_SEM, RTO_STREAM_WAIT_SEMAPHORE);
  swap(&idle, TSTATE_WAIT_SIG, RTO_STREAM_WAIT_SLEEP);
  interrupt(15, 15);
  interrupt(400, 255);
  swap(&worker, TSTATE_TASK_READYTORUN, -1);
  swap(&init, TSTATE_WAIT_MQNOTEMPTY, RTO_STREAM_WAIT_QUEUE);
  swap(&worker, TSTATE_WAIT_MQNOTFULL, RTO_STREAM_WAIT_QUEUE);
  snprintf(init.name, sizeof(init.name), "shell");
  rtoscope_note_update_names();
  now += 7;
  expect(RTO_STREAM_MARKER, 77, 99);
  rtoscope_note_marker(77, 99);
  swap(&idle, TSTATE_TASK_INVALID, RTO_STREAM_WAIT_SUSPENDED);
  while ((length = rtoscope_note_read(bytes, sizeof(bytes))) > 0) {
    if (fwrite(bytes, 1, length, file) != length) {
      return 4;
    }
  }
  fprintf(truth, "lost %lu\n", (unsigned long)rto_stream_lost(&rtoscope_note_stream));
  if (locked != 0 || masked != 0) {
    return 5;
  }
  return fclose(file) == 0 && fclose(truth) == 0 ? 0 : 6;
}
