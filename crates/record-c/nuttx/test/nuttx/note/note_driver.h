#include <stdbool.h>
#include <stddef.h>
#include <nuttx/sched.h>

#define NOTE_FILTER_MODE_FLAG_ENABLE (1 << 0)
#define NOTE_FILTER_MODE_FLAG_SWITCH (1 << 1)
#define NOTE_FILTER_MODE_FLAG_IRQ (1 << 3)

struct note_driver_s;

struct note_driver_ops_s {
  void (*add)(FAR struct note_driver_s *drv, FAR const void *note, size_t notelen);
  void (*start)(FAR struct note_driver_s *drv, FAR struct tcb_s *tcb);
  void (*stop)(FAR struct note_driver_s *drv, FAR struct tcb_s *tcb);
  void (*suspend)(FAR struct note_driver_s *drv, FAR struct tcb_s *tcb);
  void (*resume)(FAR struct note_driver_s *drv, FAR struct tcb_s *tcb);
  void (*irqhandler)(FAR struct note_driver_s *drv, int irq, FAR void *handler, bool enter);
};

struct note_driver_s {
  FAR const char *name;
  struct {
    struct {
      unsigned int flag;
    } mode;
  } filter;
  FAR const struct note_driver_ops_s *ops;
};

int note_driver_register(FAR struct note_driver_s *driver);
