/*
 * A program on FreeRTOS for Arm's MPS2+ with image AN385, which QEMU emulates. It sends a compact
 * stream through the serial port, and counts by itself, without the trace macros, what the stream
 * should contain. After SECONDS it writes the counters to truth.json, by semihosting, and ends.
 */
#define RTO_STREAM_IMPLEMENTATION
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef SECONDS
#define SECONDS 5
#endif

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* 25 MHz; QEMU lacks DWT_CYCCNT. */
#define COUNTER ((volatile const uint32_t *)0x40028018u)
#define COUNTER_HZ 25000000u

#define UART_DATA REGISTER(0x40004000u)
#define UART_STATE REGISTER(0x40004004u)
#define UART_CONTROL REGISTER(0x40004008u)
#define UART_DIVIDER REGISTER(0x40004010u)

/* A timer whose interrupt, 8, has exception number 24. */
#define TIMER_CONTROL REGISTER(0x40000000u)
#define TIMER_RELOAD REGISTER(0x40000008u)
#define TIMER_CLEAR REGISTER(0x4000000Cu)
#define NVIC_ENABLE REGISTER(0xE000E100u)
#define NVIC_PRIORITY REGISTER(0xE000E408u)

enum { TIMER_HANDLER = 24, SYSTICK_HANDLER = 15, MAX_TASKS = 16 };

static uint32_t words[8192];
static volatile uint32_t switches[MAX_TASKS];
static volatile uint32_t timer_interrupts, sends, receives, takes, gives, notifies, expiries;
static volatile uint32_t inherited_waits;
static QueueHandle_t frames;
static SemaphoreHandle_t bus;
static TaskHandle_t sampler, filter, urgent, hog, sleeper;

void count_switch(unsigned long task)
{
    if (task < MAX_TASKS) {
        switches[task] = switches[task] + 1u;
    }
}

void TIMER0_Handler(void)
{
    BaseType_t is_woken = pdFALSE;

    traceISR_ENTER();
    TIMER_CLEAR = 1;
    timer_interrupts = timer_interrupts + 1u;
    vTaskNotifyGiveFromISR(sampler, &is_woken);
    notifies = notifies + 1u;
    portYIELD_FROM_ISR(is_woken);
}

static void work(uint32_t ticks)
{
    const uint32_t start = *COUNTER;

    while (*COUNTER - start < ticks) {
    }
}

static void run_sampler(void *unused)
{
    uint32_t sample = 0;

    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        work(500);
        sample++;
        if (xQueueSend(frames, &sample, 0) == pdTRUE) {
            sends = sends + 1u;
        }
    }
}

static void run_filter(void *unused)
{
    uint32_t sample;

    (void)unused;
    for (;;) {
        if (xQueueReceive(frames, &sample, portMAX_DELAY) == pdTRUE) {
            receives = receives + 1u;
            work(1500);
        }
    }
}

/* Takes a mutex that a less important task holds, which inherits its priority. */
static void run_urgent(void *unused)
{
    TickType_t time = xTaskGetTickCount();

    (void)unused;
    for (;;) {
        xTaskDelayUntil(&time, 5);
        if (xSemaphoreTake(bus, 0) != pdTRUE) {
            inherited_waits = inherited_waits + 1u;
            (void)xSemaphoreTake(bus, portMAX_DELAY);
        }
        takes = takes + 1u;
        work(800);
        gives = gives + 1u;
        (void)xSemaphoreGive(bus);
    }
}

static void run_hog(void *unused)
{
    (void)unused;
    for (;;) {
        (void)xSemaphoreTake(bus, portMAX_DELAY);
        takes = takes + 1u;
        work(100000);
        gives = gives + 1u;
        (void)xSemaphoreGive(bus);
        vTaskDelay(3);
    }
}

static void run_sleeper(void *unused)
{
    (void)unused;
    for (;;) {
        vTaskSuspend(NULL);
    }
}

static void expire(TimerHandle_t timer)
{
    (void)timer;
    expiries = expiries + 1u;
    vTaskResume(sleeper);
}

static void send_stream(void)
{
    static uint8_t bytes[1024];
    size_t length, byte;

    while ((length = rto_stream_read(&rto_freertos.stream, bytes, sizeof(bytes))) > 0) {
        for (byte = 0; byte < length; byte++) {
            while ((UART_STATE & 1u) != 0) {
            }
            UART_DATA = bytes[byte];
        }
    }
}

/* Opened before tasks run: the C library finds no memory from a task's stack. */
static FILE *file;
static char file_buffer[512];

static void write_truth(void)
{
    static const struct {
        const char *name;
        TaskHandle_t *task;
    } tasks[] = {{"sampler", &sampler}, {"filter", &filter}, {"urgent", &urgent},
                 {"hog", &hog},         {"sleeper", &sleeper}};
    size_t at;

    fprintf(file, "{\n  \"threads\": [\n");
    for (at = 0; at < sizeof(tasks) / sizeof(tasks[0]); at++) {
        TaskStatus_t status;

        vTaskGetInfo(*tasks[at].task, &status, pdFALSE, eInvalid);
        fprintf(file, "    { \"name\": \"%s\", \"id\": %lu, \"resumes\": %lu }%s\n", tasks[at].name,
                (unsigned long)status.xTaskNumber, (unsigned long)switches[status.xTaskNumber],
                at + 1 < sizeof(tasks) / sizeof(tasks[0]) ? "," : "");
    }
    fprintf(file, "  ],\n  \"handlers\": [\n    { \"number\": 24, \"entries\": %lu },\n",
            (unsigned long)timer_interrupts);
    fprintf(file, "    { \"number\": 15, \"entries\": %lu }\n  ],\n",
            (unsigned long)xTaskGetTickCount());
    fprintf(file, "  \"markers\": [\n");
    fprintf(file, "    { \"name\": \"queue send\", \"count\": %lu },\n", (unsigned long)sends);
    fprintf(file, "    { \"name\": \"queue receive\", \"count\": %lu },\n",
            (unsigned long)receives);
    fprintf(file, "    { \"name\": \"mutex take\", \"count\": %lu },\n", (unsigned long)takes);
    fprintf(file, "    { \"name\": \"mutex give\", \"count\": %lu },\n", (unsigned long)gives);
    fprintf(file, "    { \"name\": \"priority inherit\", \"count\": %lu },\n",
            (unsigned long)inherited_waits);
    fprintf(file, "    { \"name\": \"timer expired\", \"count\": %lu },\n",
            (unsigned long)expiries);
    fprintf(file, "    { \"name\": \"notify\", \"count\": %lu }\n  ],\n", (unsigned long)notifies);
    fprintf(file, "  \"lost\": %lu\n}\n", (unsigned long)rto_stream_lost(&rto_freertos.stream));
    fclose(file);
}

static void run_sender(void *unused)
{
    (void)unused;
    while (xTaskGetTickCount() < SECONDS * configTICK_RATE_HZ) {
        send_stream();
        vTaskDelay(2);
    }
    /* No interrupt comes any more. */
    __asm__ volatile("cpsid i" : : : "memory");
    rto_stream_stop(&rto_freertos.stream);
    send_stream();
    write_truth();
    exit(0);
}

int main(void)
{
    TimerHandle_t timer;

    file = fopen("truth.json", "w");
    if (file == NULL || setvbuf(file, file_buffer, _IOFBF, sizeof(file_buffer)) != 0) {
        return 1;
    }
    UART_DIVIDER = 16;
    UART_CONTROL = 1;
    rto_freertos_start(words, sizeof(words) / sizeof(words[0]), COUNTER, COUNTER_HZ);
    rto_stream_name_handler(&rto_freertos.stream, TIMER_HANDLER, "TIMER0");
    frames = xQueueCreate(4, sizeof(uint32_t));
    bus = xSemaphoreCreateMutex();
    /* The semaphore's creation gives it. */
    gives = 1;
    xTaskCreate(run_sampler, "sampler", 256, NULL, 6, &sampler);
    xTaskCreate(run_filter, "filter", 256, NULL, 4, &filter);
    xTaskCreate(run_urgent, "urgent", 256, NULL, 3, &urgent);
    xTaskCreate(run_sleeper, "sleeper", 256, NULL, 2, &sleeper);
    xTaskCreate(run_hog, "hog", 256, NULL, 2, &hog);
    xTaskCreate(run_sender, "sender", 4096, NULL, 1, NULL);
    timer = xTimerCreate("blink", 10, pdTRUE, NULL, expire);
    /* The command is in a queue, too. */
    xTimerStart(timer, 0);
    sends = 1;
    receives = 1;
    NVIC_PRIORITY = 0x80;
    NVIC_ENABLE = 1u << 8;
    TIMER_RELOAD = COUNTER_HZ / 2000u;
    TIMER_CONTROL = 9;
    /* The scheduler starts the most important task, without a switch. */
    switches[1] = 1;
    vTaskStartScheduler();
    return 1;
}

/* The vectors. */
extern void _start(void);
extern void SVC_Handler(void), PendSV_Handler(void), SysTick_Handler(void);
extern uint32_t stack_top;

static void stop(void)
{
    for (;;) {
    }
}

struct vectors {
    uint32_t *stack;
    void (*handlers[24])(void);
};

__attribute__((section(".vectors"), used))
static const struct vectors vectors = {
    &stack_top,
    {_start, stop, stop, stop, stop, stop, stop, stop, stop, stop, SVC_Handler, stop, stop,
     PendSV_Handler, SysTick_Handler, stop, stop, stop, stop, stop, stop, stop, stop,
     TIMER0_Handler},
};
