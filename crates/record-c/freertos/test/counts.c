#include "counts.h"
#include "board.h"

#include <stdbool.h>

enum { MAX_TASKS = 16 };

struct counts counts;

static struct {
    TaskHandle_t task;
    const char *name;
    volatile uint32_t resumes, waits;
} tasks[MAX_TASKS];

static size_t number_of_tasks;

static char truth[4096];
static size_t truth_length;

void count_task(TaskHandle_t task, const char *name)
{
    tasks[number_of_tasks].task = task;
    tasks[number_of_tasks].name = name;
    number_of_tasks++;
}

/* The list that a task is in: the item of its state follows the pointer to its stack. */
static uintptr_t list_of(TaskHandle_t task)
{
    const ListItem_t *const state = (const ListItem_t *)((StackType_t *const *)task + 1);

    return (uintptr_t)listLIST_ITEM_CONTAINER(state);
}

static void count(TaskHandle_t before, TaskHandle_t now)
{
    /* The running task is in the list of its priority, which shows where all of them are. */
    const uintptr_t first = list_of(now) - uxTaskPriorityGetFromISR(now) * sizeof(List_t);
    const bool is_ready = list_of(before) - first < configMAX_PRIORITIES * sizeof(List_t);
    size_t at;

    counts.switches = counts.switches + 1u;
    if (now == xTaskGetIdleTaskHandle()) {
        counts.idle = counts.idle + 1u;
    }
    for (at = 0; at < number_of_tasks; at++) {
        if (tasks[at].task == now) {
            tasks[at].resumes = tasks[at].resumes + 1u;
        }
        if (tasks[at].task == before && !is_ready) {
            tasks[at].waits = tasks[at].waits + 1u;
        }
    }
}

void count_first(TaskHandle_t task)
{
    size_t at;

    counts.switches = counts.switches + 1u;
    for (at = 0; at < number_of_tasks; at++) {
        if (tasks[at].task == task) {
            tasks[at].resumes = 1;
        }
    }
}

extern void __real_vTaskSwitchContext(void);
void __wrap_vTaskSwitchContext(void);

void __wrap_vTaskSwitchContext(void)
{
    const TaskHandle_t before = xTaskGetCurrentTaskHandle();
    const bool is_switching = xTaskGetSchedulerState() != taskSCHEDULER_SUSPENDED;

    __real_vTaskSwitchContext();
    if (is_switching) {
        count(before, xTaskGetCurrentTaskHandle());
    }
}

void truth_text(const char *text)
{
    for (; *text != '\0' && truth_length < sizeof(truth); text++) {
        truth[truth_length++] = *text;
    }
}

void truth_number(uint32_t number)
{
    char digits[11];
    size_t at = sizeof(digits) - 1;

    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number > 0);
    truth_text(&digits[at]);
}

static void truth_handler(uint32_t number, uint32_t entries)
{
    truth_text("    { \"number\": ");
    truth_number(number);
    truth_text(", \"entries\": ");
    truth_number(entries);
    truth_text(" }");
}

void truth_begin(void)
{
    size_t at;

    truth_length = 0;
    truth_text("{\n  \"threads\": [\n");
    for (at = 0; at < number_of_tasks; at++) {
        TaskStatus_t status;

        vTaskGetInfo(tasks[at].task, &status, pdFALSE, eReady);
        truth_text("    { \"name\": \"");
        truth_text(tasks[at].name);
        truth_text("\", \"id\": ");
        truth_number((uint32_t)status.xTaskNumber);
        truth_text(", \"resumes\": ");
        truth_number(tasks[at].resumes);
        truth_text(", \"waits\": ");
        truth_number(tasks[at].waits);
        truth_text(at + 1 < number_of_tasks ? " },\n" : " }\n");
    }
    truth_text("  ],\n  \"idle\": ");
    truth_number(counts.idle);
    truth_text(",\n  \"handlers\": [\n");
    if (board_interrupt() != 0) {
        truth_handler(board_interrupt(), counts.interrupts);
        truth_text(",\n");
    }
    truth_handler(RTO_FREERTOS_TICK_HANDLER, counts.ticks);
    truth_text("\n  ]");
}

void truth_write(void)
{
    truth_text("\n}\n");
    board_write_file("truth.json", truth, truth_length);
}
