/*
 * A program on FreeRTOS that counts by itself, without the trace macros, what a recording should
 * contain. After MILLISECONDS it writes its counts to truth.json and ends. With -DLIVE it runs for
 * ever, and puts its counts of switches, interrupts and lost entries into the stream, as markers.
 * README.md has the commands for each board.
 */
#include "board.h"
#include "counts.h"
#include "queue.h"
#include "recorder.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#ifndef MILLISECONDS
#define MILLISECONDS 5000
#endif

static volatile uint32_t sends, receives, takes, gives, notifies, expiries, inherited_waits;
static QueueHandle_t frames;
static SemaphoreHandle_t bus;
static TaskHandle_t sampler, filter, urgent, hog, sleeper, sender;

void sample(void)
{
    BaseType_t is_woken = pdFALSE;

    /* Where the tick calls this, it has done the same, and switches. */
    const bool is_handler = board_interrupt() != 0;

    if (is_handler) {
        traceISR_ENTER();
    }
    counts.interrupts = counts.interrupts + 1u;
    vTaskNotifyGiveFromISR(sampler, &is_woken);
    notifies = notifies + 1u;
    if (is_handler) {
        TRACE_ISR_EXIT();
        portYIELD_FROM_ISR(is_woken);
    }
}

static void work(uint32_t microseconds)
{
    const uint32_t start = board_now();

    while (board_now() - start < microseconds * (COUNTER_HZ / 1000000u)) {
    }
}

static void run_sampler(void *unused)
{
    uint32_t number = 0;

    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        work(20);
        number++;
        if (xQueueSend(frames, &number, 0) == pdTRUE) {
            sends = sends + 1u;
        }
    }
}

static void run_filter(void *unused)
{
    uint32_t number;

    (void)unused;
    for (;;) {
        if (xQueueReceive(frames, &number, portMAX_DELAY) == pdTRUE) {
            receives = receives + 1u;
            work(60);
        }
    }
}

/* Takes a mutex that a less important task holds, which inherits its priority. */
static void run_urgent(void *unused)
{
    TickType_t time = xTaskGetTickCount();

    (void)unused;
    for (;;) {
        vTaskDelayUntil(&time, 7);
        if (xSemaphoreTake(bus, 0) != pdTRUE) {
            inherited_waits = inherited_waits + 1u;
            (void)xSemaphoreTake(bus, portMAX_DELAY);
        }
        takes = takes + 1u;
        work(30);
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
        work(3000);
        gives = gives + 1u;
        (void)xSemaphoreGive(bus);
        vTaskDelay(2);
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

#ifdef LIVE

enum { SWITCHES = 0x100, INTERRUPTS, LOST };

static void run_sender(void *unused)
{
    TickType_t reported = 0;

    (void)unused;
    (void)rto_stream_name(&rto_freertos.stream, SWITCHES, "switches");
    (void)rto_stream_name(&rto_freertos.stream, INTERRUPTS, "interrupts");
    (void)rto_stream_name(&rto_freertos.stream, LOST, "lost");
    for (;;) {
        if (xTaskGetTickCount() - reported >= 64u) {
            taskENTER_CRITICAL();
            reported = xTaskGetTickCount();
            rto_stream_marker(&rto_freertos.stream, SWITCHES, counts.switches - counts.idle);
            rto_stream_marker(&rto_freertos.stream, INTERRUPTS, counts.ticks + counts.interrupts);
            rto_stream_marker(&rto_freertos.stream, LOST, recorder_lost());
            taskEXIT_CRITICAL();
        }
        recorder_transfer();
        vTaskDelay(2);
    }
}

#else

static void truth_marker(const char *name, uint32_t count, const char *end)
{
    truth_text("    { \"name\": \"");
    truth_text(name);
    truth_text("\", \"count\": ");
    truth_number(count);
    truth_text(end);
}

static void write_truth(void)
{
    truth_begin();
    truth_text(",\n  \"markers\": [\n");
    truth_marker("queue send", sends, " },\n");
    truth_marker("queue receive", receives, " },\n");
    truth_marker("mutex take", takes, " },\n");
    truth_marker("mutex give", gives, " },\n");
    truth_marker("priority inherit", inherited_waits, " },\n");
    truth_marker("timer expired", expiries, " },\n");
    truth_marker("notify", notifies, " }\n  ],\n  \"lost\": ");
    truth_number(recorder_lost());
    truth_write();
}

static void run_sender(void *unused)
{
    (void)unused;
    while (xTaskGetTickCount() < pdMS_TO_TICKS(MILLISECONDS)) {
        recorder_transfer();
        vTaskDelay(2);
    }
    /* No interrupt of the kernel comes any more. */
    taskENTER_CRITICAL();
    recorder_end();
    write_truth();
    board_exit(0);
}

#endif

int main(void)
{
    TimerHandle_t timer;

    board_start();
    recorder_start();
    frames = xQueueCreate(4, sizeof(uint32_t));
    bus = xSemaphoreCreateMutex();
    vQueueAddToRegistry(frames, "frames");
    vQueueAddToRegistry(bus, "bus");
    /* The semaphore's creation gives it. */
    gives = 1;
    xTaskCreate(run_sampler, "sampler", configMINIMAL_STACK_SIZE, NULL, 6, &sampler);
    xTaskCreate(run_filter, "filter", configMINIMAL_STACK_SIZE, NULL, 4, &filter);
    xTaskCreate(run_urgent, "urgent", configMINIMAL_STACK_SIZE, NULL, 3, &urgent);
    xTaskCreate(run_sleeper, "sleeper", configMINIMAL_STACK_SIZE, NULL, 2, &sleeper);
    xTaskCreate(run_hog, "hog", configMINIMAL_STACK_SIZE, NULL, 2, &hog);
    xTaskCreate(run_sender, "sender", 4096, NULL, 1, &sender);
    count_task(sampler, "sampler");
    count_task(filter, "filter");
    count_task(urgent, "urgent");
    count_task(sleeper, "sleeper");
    count_task(hog, "hog");
    count_task(sender, "sender");
    timer = xTimerCreate("blink", 10, pdTRUE, NULL, expire);
    /* The command is in a queue, too. */
    xTimerStart(timer, 0);
    sends = 1;
    receives = 1;
    count_first(sampler);
    board_start_interrupts();
    vTaskStartScheduler();
    return 1;
}
