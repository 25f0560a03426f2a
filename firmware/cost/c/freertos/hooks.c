/* The hooks for FreeRTOS with the compact stream, as the kernel expands them. */

#include "cost.h"

#define configUSE_TRACE_FACILITY 1
#define tskIDLE_PRIORITY 0u
#define RTO_FREERTOS_IMPLEMENTATION
#include "rtoscope_freertos.h"

struct list_item {
    void *value, *next, *previous, *owner, *container;
};

/* The parts of a task that the hooks use, and the lists of ready tasks. */
typedef struct {
    void *stack;
    struct list_item xStateListItem;
    uint32_t uxPriority;
    char pcTaskName[16];
    uint32_t uxTaskNumber;
} TCB_t;

struct list {
    void *items[5];
};

#define listIS_CONTAINED_WITHIN(list_, item_) ((item_)->container == (list_))

static TCB_t *volatile pxCurrentTCB;
static struct list LISTS_BUFFER[8];
#define pxReadyTasksLists LISTS_BUFFER

CASE void cost_freertos_ready(TCB_t *task)
{
    traceMOVED_TASK_TO_READY_STATE(task);
}

/* The kernel chooses a task between both. */
CASE void cost_freertos_switch(TCB_t *next)
{
    traceTASK_SWITCHED_OUT();
    pxCurrentTCB = next;
    traceTASK_SWITCHED_IN();
}

CASE void cost_freertos_isr_enter(void)
{
    traceISR_ENTER();
}

CASE void cost_freertos_isr_exit(void)
{
    traceISR_EXIT();
}

static uint32_t BUFFER[256];
static uint8_t CONTAINER_BUFFER[512];
static TCB_t TASKS_BUFFER[3];

int record(void)
{
    TCB_t *const idle = &TASKS_BUFFER[0], *const worker = &TASKS_BUFFER[1],
          *const logger = &TASKS_BUFFER[2];
    unsigned task;

    for (task = 0; task < 3u; task++) {
        TASKS_BUFFER[task].uxPriority = task;
        TASKS_BUFFER[task].pcTaskName[0] = task == 0 ? 'I' : 'w';
    }
    rto_freertos_start(BUFFER, 256, &CYCLE_COUNTER, 25000000);
    traceTASK_CREATE(idle);
    traceTASK_CREATE(worker);
    traceTASK_CREATE(logger);
    pxCurrentTCB = worker;
    traceTASK_SWITCHED_IN();
    traceTASK_DELAY();
    cost_freertos_ready(logger);
    cost_freertos_switch(logger);
    cost_freertos_isr_enter();
    cost_freertos_isr_exit();
    return BUFFER[1] == (RTO_STREAM_READY | 2u << 6)
           && BUFFER[2] == (RTO_STREAM_WAIT | RTO_STREAM_WAIT_SLEEP << 6)
           && BUFFER[3] == (RTO_STREAM_RESUME | 2u << 6) && BUFFER[5] == RTO_STREAM_ISR_EXIT
           && rto_stream_read(&rto_freertos.stream, CONTAINER_BUFFER, 512) > 0;
}
