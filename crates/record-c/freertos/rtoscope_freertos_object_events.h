/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: the functions that write the events of FreeRTOS's objects into the ThreadX trace. Include
 * rtoscope_freertos.h.
 */
#if defined(RTO_FREERTOS_IMPLEMENTATION) && !defined(RTO_FREERTOS_OBJECTS_IMPLEMENTED)
#define RTO_FREERTOS_OBJECTS_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

void rto_freertos_name_event_group(const void *group, const char *name)
{
  rto_threadx_unregister((uintptr_t)group);
  (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_EVENT_FLAGS, (uintptr_t)group, name, 0, 0);
}

void rto_freertos_name_buffer(const void *buffer, const char *name)
{
  rto_threadx_unregister((uintptr_t)buffer);
  (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_QUEUE, (uintptr_t)buffer, name, 0, 0);
}

static struct rto_freertos_lock *rto_freertos_find_lock(uintptr_t address)
{
  uint32_t at;

  for (at = 0; at < RTO_FREERTOS_LOCKS; at++) {
    if (rto_freertos.locks[at].address == address) {
      return &rto_freertos.locks[at];
    }
  }
  return NULL;
}

bool rto_freertos_lock(const void *semaphore, const char *name)
{
  struct rto_freertos_lock *const lock = rto_freertos_find_lock(0);

  if (lock == NULL) {
    return false;
  }
  lock->address = (uintptr_t)semaphore;
  lock->holder = 0;
  rto_threadx_unregister(lock->address);
  (void)rto_threadx_register(RTO_TX_TRACE_OBJECT_TYPE_MUTEX, lock->address, name, 0, 0);
  rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_CREATE, lock->address, 0, 0, 0);
  return true;
}

/* Makes a mutex of a semaphore that is a lock, and returns the lock; NULL if it is none. */
static struct rto_freertos_lock *rto_freertos_resolve(struct rto_freertos_queue *queue)
{
  struct rto_freertos_lock *lock = NULL;

  if (rto_freertos_is_semaphore(queue->type)) {
    lock = rto_freertos_find_lock(queue->address);
    if (lock != NULL) {
      queue->type = 1;
      queue->holder = lock->holder;
    }
  }
  return lock;
}

/* ThreadX counts messages in words. */
static uint32_t rto_freertos_message_words(const struct rto_freertos_queue *queue)
{
  const uint32_t words = (queue->item_size + (uint32_t)sizeof(uintptr_t) - 1u) /
                         (uint32_t)sizeof(uintptr_t);

  return words == 0 ? 1u : words;
}

void rto_freertos_name_queue(struct rto_freertos_queue queue, const char *name)
{
  uint8_t type = RTO_TX_TRACE_OBJECT_TYPE_QUEUE;
  uintptr_t parameter_1 = 0, parameter_2 = 0;

  if (rto_freertos_is_mutex(queue.type)) {
    /* With inheritance of priorities, as all mutexes of FreeRTOS. */
    type = RTO_TX_TRACE_OBJECT_TYPE_MUTEX;
    parameter_1 = 1;
  } else if (rto_freertos_is_semaphore(queue.type)) {
    type = RTO_TX_TRACE_OBJECT_TYPE_SEMAPHORE;
  } else {
    parameter_2 = rto_freertos_message_words(&queue);
    parameter_1 = (uintptr_t)queue.length * parameter_2 * sizeof(uintptr_t);
  }
  rto_threadx_unregister(queue.address);
  (void)rto_threadx_register(type, queue.address, name, parameter_1, parameter_2);
}

void rto_freertos_create_queue(struct rto_freertos_queue queue)
{
  rto_freertos_name_queue(queue, "");
  if (rto_freertos_is_mutex(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_CREATE, queue.address, 1, 0, 0);
  } else if (rto_freertos_is_semaphore(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_SEMAPHORE_EVENTS, RTO_TX_TRACE_SEMAPHORE_CREATE, queue.address,
                       queue.level, 0, 0);
  } else {
    const uint32_t words = rto_freertos_message_words(&queue);

    rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_CREATE, queue.address, words, 0,
                       (uintptr_t)queue.length * words * sizeof(uintptr_t));
  }
}

void rto_freertos_delete_queue(struct rto_freertos_queue queue)
{
  struct rto_freertos_lock *const lock = rto_freertos_resolve(&queue);

  if (lock != NULL) {
    lock->address = 0;
  }
  if (rto_freertos_is_mutex(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_DELETE, queue.address, 0, 0, 0);
  } else if (rto_freertos_is_semaphore(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_SEMAPHORE_EVENTS, RTO_TX_TRACE_SEMAPHORE_DELETE, queue.address,
                       0, 0, 0);
  } else {
    rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_DELETE, queue.address, 0, 0, 0);
  }
  rto_threadx_unregister(queue.address);
}

/* The call of a get or receive, with the owner or the level before it. */
static void rto_freertos_get(const struct rto_freertos_queue *queue, uint32_t ticks,
                             uintptr_t owner)
{
  if (rto_freertos_is_mutex(queue->type)) {
    rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_GET, queue->address, ticks,
                       owner, owner == 0 ? 0 : 1);
  } else if (rto_freertos_is_semaphore(queue->type)) {
    rto_freertos_event(RTO_TX_TRACE_SEMAPHORE_EVENTS, RTO_TX_TRACE_SEMAPHORE_GET, queue->address,
                       ticks, queue->level, 0);
  } else {
    rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_RECEIVE, queue->address, 0,
                       ticks, queue->level);
  }
}

/* Whether the running task has waited for an object in this call, which ends. */
static bool rto_freertos_end_wait(uintptr_t object, bool is_handler)
{
  struct rto_freertos_task_state *const task = rto_freertos.current;

  if (is_handler || task->object != object) {
    return false;
  }
  task->object = 0;
  return true;
}

static void rto_freertos_begin_wait(uintptr_t object, bool is_sending,
                                    enum rto_freertos_wait reason)
{
  rto_freertos.current->object = object;
  rto_freertos.current->is_sending = is_sending;
  rto_freertos_block(reason);
}

void rto_freertos_send(struct rto_freertos_queue queue, uint32_t ticks, bool is_handler)
{
  struct rto_freertos_lock *const lock = rto_freertos_resolve(&queue);

  if (rto_freertos_end_wait(queue.address, is_handler) && rto_freertos.current->is_sending) {
    return;
  }
  if (rto_freertos_is_mutex(queue.type)) {
    /* Its creation gives it, too. */
    if (queue.holder != 0) {
      rto_freertos.released = queue.has_receivers ? queue.address : 0;
      rto_freertos_event(RTO_TX_TRACE_MUTEX_EVENTS, RTO_TX_TRACE_MUTEX_PUT, queue.address,
                         queue.holder, 1, 0);
    }
    if (lock != NULL) {
      lock->holder = 0;
    }
  } else if (rto_freertos_is_semaphore(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_SEMAPHORE_EVENTS, RTO_TX_TRACE_SEMAPHORE_PUT, queue.address,
                       queue.level, 0, 0);
  } else {
    rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_SEND, queue.address, 0, ticks,
                       queue.level);
  }
}

void rto_freertos_receive(struct rto_freertos_queue queue, uint32_t ticks, bool is_handler)
{
  const bool has_waited = rto_freertos_end_wait(queue.address, is_handler);
  struct rto_freertos_lock *const lock = rto_freertos_resolve(&queue);

  /* The host gives a mutex to the task that its release makes ready. */
  rto_freertos_get(&queue, ticks,
                   has_waited && rto_freertos.current->is_given ? rto_freertos.running : 0);
  if (lock != NULL) {
    lock->holder = rto_freertos.running;
  }
  if (!is_handler) {
    rto_freertos.current->is_given = false;
  }
}

void rto_freertos_wait(struct rto_freertos_queue queue, uint32_t ticks, bool is_sending)
{
  (void)rto_freertos_resolve(&queue);
  if (is_sending) {
    rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_SEND, queue.address, 0, ticks,
                       queue.level);
  } else {
    rto_freertos_get(&queue, ticks, queue.holder);
  }
  rto_freertos_begin_wait(queue.address, is_sending, rto_freertos_queue_wait(queue.type));
}

void rto_freertos_fail(struct rto_freertos_queue queue, bool is_sending, bool is_handler)
{
  if (rto_freertos_end_wait(queue.address, is_handler)) {
    return;
  }
  (void)rto_freertos_resolve(&queue);
  if (!is_sending) {
    rto_freertos_get(&queue, 0, queue.holder);
  } else if (rto_freertos_is_semaphore(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_SEMAPHORE_EVENTS, RTO_TX_TRACE_SEMAPHORE_CEILING_PUT,
                       queue.address, queue.level, 0, queue.length);
  } else if (!rto_freertos_is_mutex(queue.type)) {
    rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_SEND, queue.address, 0, 0,
                       queue.level);
  }
}

static void rto_freertos_use_buffer(uintptr_t buffer, bool is_sending, uint32_t ticks)
{
  rto_freertos_event(RTO_TX_TRACE_QUEUE_EVENTS,
                     is_sending ? RTO_TX_TRACE_QUEUE_SEND : RTO_TX_TRACE_QUEUE_RECEIVE, buffer, 0,
                     ticks, RTO_FREERTOS_NO_LEVEL);
}

void rto_freertos_buffer(uintptr_t buffer, bool is_sending, bool is_handler)
{
  if (!rto_freertos_end_wait(buffer, is_handler)) {
    rto_freertos_use_buffer(buffer, is_sending, 0);
  }
}

void rto_freertos_wait_for_buffer(uintptr_t buffer, bool is_sending)
{
  rto_freertos_use_buffer(buffer, is_sending, 1);
  rto_freertos_begin_wait(buffer, is_sending, RTO_FREERTOS_WAIT_QUEUE);
}

void rto_freertos_wait_for_flags(uintptr_t group, uint32_t flags)
{
  rto_freertos_event(RTO_TX_TRACE_EVENT_FLAGS_EVENTS, RTO_TX_TRACE_EVENT_FLAGS_GET, group, flags, 0,
                     0);
  rto_freertos_begin_wait(group, false, RTO_FREERTOS_WAIT_EVENT_FLAGS);
}

void rto_freertos_get_flags(uintptr_t group, uint32_t flags)
{
  if (!rto_freertos_end_wait(group, false)) {
    rto_freertos_event(RTO_TX_TRACE_EVENT_FLAGS_EVENTS, RTO_TX_TRACE_EVENT_FLAGS_GET, group, flags,
                       0, 0);
  }
}

void rto_freertos_timer(uintptr_t timer, int32_t command, uint32_t ticks)
{
  /* The commands of handlers follow the five of tasks: start, reset, stop, change, delete. */
  switch (command > 5 ? command - 5 : command) {
  case 1:
  case 2:
    rto_freertos_event(RTO_TX_TRACE_TIMER_EVENTS, RTO_TX_TRACE_TIMER_ACTIVATE, timer, 0, 0, 0);
    break;
  case 3:
    rto_freertos_event(RTO_TX_TRACE_TIMER_EVENTS, RTO_TX_TRACE_TIMER_DEACTIVATE, timer, 0, 0, 0);
    break;
  case 4:
    rto_freertos_event(RTO_TX_TRACE_TIMER_EVENTS, RTO_TX_TRACE_TIMER_CHANGE, timer, ticks, ticks, 0);
    break;
  case 5:
    rto_freertos_event(RTO_TX_TRACE_TIMER_EVENTS, RTO_TX_TRACE_TIMER_DELETE, timer, 0, 0, 0);
    rto_threadx_unregister(timer);
    break;
  default:
    break;
  }
}

#ifdef __cplusplus
}
#endif

#endif /* RTO_FREERTOS_IMPLEMENTATION */
