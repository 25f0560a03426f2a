/*
 * The program's own counts, which do not depend on the trace macros. Link with
 * -Wl,--wrap=vTaskSwitchContext.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "FreeRTOS.h"
#include "task.h"

#include <stddef.h>
#include <stdint.h>

/* What all programs count. */
struct counts {
    /* The handler of the tick, and the one of the application. */
    volatile uint32_t ticks, interrupts;
    /* Switches, and those to the idle task. */
    volatile uint32_t switches, idle;
};

extern struct counts counts;

/* Counts the switches and waits of a task from now on. */
void count_task(TaskHandle_t task, const char *name);

/* The scheduler starts this task without a switch. */
void count_first(TaskHandle_t task);

/* Starts a JSON file with the counts above, adds text and numbers, and writes it. */
void truth_begin(void);
void truth_text(const char *text);
void truth_number(uint32_t number);
void truth_write(void);

#endif
