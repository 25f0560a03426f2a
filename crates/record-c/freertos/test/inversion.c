/*
 * Priority inversions on FreeRTOS, for the ThreadX event trace: a task of high priority waits for a
 * resource of a task of low priority, while one in between runs. A binary semaphore, which has no
 * owner, lets the task in between prolong the wait. A mutex does not: its holder inherits the
 * priority. The program counts by itself, and writes its counts to truth.json. README.md has the
 * commands.
 */
#include "board.h"
#include "counts.h"
#include "event_groups.h"
#include "queue.h"
#include "recorder.h"
#include "semphr.h"
#include "task.h"

/* Numbers of rounds with the mutex, and with the semaphore that is used like one. */
enum { ROUNDS = 20, LENGTH = 4, READY = 1, DONE = 2 };

static SemaphoreHandle_t mutex, semaphore, recursive, filled;
static QueueHandle_t queue;
static EventGroupHandle_t events;
static TaskHandle_t high, middle, low, producer, consumer;
static volatile uint32_t round_number, mutex_takes, mutex_waits, semaphore_takes, semaphore_waits;
static volatile uint32_t recursive_takes, sends, receives, full, empty, max_level, sets;
static volatile uint32_t send_calls, receive_calls, priority_changes;
static volatile uint32_t signals, signals_taken, signals_refused, signal_calls;

void sample(void)
{
    const bool is_handler = board_interrupt() != 0;

    if (is_handler) {
        traceISR_ENTER();
    }
    counts.interrupts = counts.interrupts + 1u;
    if (is_handler) {
        traceISR_EXIT();
    }
}

static void work(uint32_t microseconds)
{
    const uint32_t start = board_now();

    while (board_now() - start < microseconds * (COUNTER_HZ / 1000000u)) {
    }
}

static SemaphoreHandle_t resource(void)
{
    return round_number % 2u == 0 ? mutex : semaphore;
}

/* Holds the resource, and lets the others wake while it does. */
static void run_low(void *unused)
{
    (void)unused;
    while (round_number < 2 * ROUNDS) {
        const bool is_mutex = resource() == mutex;

        (void)xSemaphoreTake(resource(), portMAX_DELAY);
        if (is_mutex) {
            mutex_takes = mutex_takes + 1u;
        } else {
            semaphore_takes = semaphore_takes + 1u;
        }
        xTaskNotifyGive(high);
        xTaskNotifyGive(middle);
        work(500);
        (void)xSemaphoreGive(is_mutex ? mutex : semaphore);
        /* The mutex that its owner takes twice. */
        (void)xSemaphoreTakeRecursive(recursive, portMAX_DELAY);
        (void)xSemaphoreTakeRecursive(recursive, portMAX_DELAY);
        recursive_takes = recursive_takes + 1u;
        (void)xSemaphoreGiveRecursive(recursive);
        (void)xSemaphoreGiveRecursive(recursive);
        round_number = round_number + 1u;
        vTaskDelay(2);
    }
    vTaskPrioritySet(NULL, 6);
    priority_changes = priority_changes + 1u;
    (void)xEventGroupSetBits(events, DONE);
    sets = sets + 1u;
    vTaskSuspend(NULL);
}

/* Runs for long whenever the holder of the resource does not inherit. */
static void run_middle(void *unused)
{
    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        work(1500);
    }
}

static void run_high(void *unused)
{
    (void)unused;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        if (resource() == mutex) {
            if (uxSemaphoreGetCount(mutex) == 0) {
                mutex_waits = mutex_waits + 1u;
            }
            (void)xSemaphoreTake(mutex, portMAX_DELAY);
            mutex_takes = mutex_takes + 1u;
            work(50);
            (void)xSemaphoreGive(mutex);
        } else {
            if (uxSemaphoreGetCount(semaphore) == 0) {
                semaphore_waits = semaphore_waits + 1u;
            }
            (void)xSemaphoreTake(semaphore, portMAX_DELAY);
            semaphore_takes = semaphore_takes + 1u;
            work(50);
            (void)xSemaphoreGive(semaphore);
        }
    }
}

static void note_level(void)
{
    const uint32_t level = (uint32_t)uxQueueMessagesWaiting(queue);

    if (level > max_level) {
        max_level = level;
    }
}

/* Sends in bursts that fill the queue, with and without waiting. */
static void run_producer(void *unused)
{
    uint32_t number = 0, at;

    (void)unused;
    for (;;) {
        (void)xEventGroupWaitBits(events, READY, pdTRUE, pdFALSE, portMAX_DELAY);
        for (at = 0; at < LENGTH + 1; at++) {
            number++;
            send_calls = send_calls + 1u;
            if (xQueueSend(queue, &number, 0) == pdTRUE) {
                sends = sends + 1u;
            } else {
                full = full + 1u;
                send_calls = send_calls + 1u;
                (void)xQueueSend(queue, &number, portMAX_DELAY);
                sends = sends + 1u;
            }
            note_level();
            /* A semaphore that signals; it is full with the last message of a burst. */
            if (xSemaphoreGive(filled) == pdTRUE) {
                signals = signals + 1u;
            } else {
                signals_refused = signals_refused + 1u;
            }
        }
    }
}

/* Asks for a burst, and takes it after a while; at the end the queue is empty. */
static void run_consumer(void *unused)
{
    uint32_t number, at;

    (void)unused;
    for (;;) {
        receive_calls = receive_calls + 1u;
        if (xQueueReceive(queue, &number, 0) == pdTRUE) {
            receives = receives + 1u;
        } else {
            empty = empty + 1u;
        }
        (void)xEventGroupSetBits(events, READY);
        sets = sets + 1u;
        vTaskDelay(3);
        for (at = 0; at < LENGTH + 1; at++) {
            receive_calls = receive_calls + 1u;
            if (xQueueReceive(queue, &number, 5) == pdTRUE) {
                receives = receives + 1u;
            }
            signal_calls = signal_calls + 1u;
            if (xSemaphoreTake(filled, 0) == pdTRUE) {
                signals_taken = signals_taken + 1u;
            }
        }
    }
}

static void truth_count(const char *name, uint32_t count)
{
    truth_text(",\n  \"");
    truth_text(name);
    truth_text("\": ");
    truth_number(count);
}

static void run_last(void *unused)
{
    (void)unused;
    (void)xEventGroupWaitBits(events, DONE, pdTRUE, pdFALSE, portMAX_DELAY);
    vTaskDelay(5);
    taskENTER_CRITICAL();
    recorder_end();
    truth_begin();
    truth_count("mutex_takes", mutex_takes);
    truth_count("mutex_waits", mutex_waits);
    truth_count("semaphore_takes", semaphore_takes);
    truth_count("semaphore_waits", semaphore_waits);
    truth_count("recursive_takes", recursive_takes);
    truth_count("sends", sends);
    truth_count("receives", receives);
    truth_count("send_calls", send_calls);
    truth_count("receive_calls", receive_calls);
    truth_count("full", full);
    truth_count("empty", empty);
    truth_count("max_level", max_level);
    truth_count("level_at_end", (uint32_t)uxQueueMessagesWaiting(queue));
    truth_count("signals", signals);
    truth_count("signals_taken", signals_taken);
    truth_count("signals_refused", signals_refused);
    truth_count("signal_calls", signal_calls);
    truth_count("signals_at_end", (uint32_t)uxSemaphoreGetCount(filled));
    truth_count("sets", sets);
    truth_count("priority_changes", priority_changes);
    truth_write();
    board_exit(0);
}

int main(void)
{
    TaskHandle_t last;

    board_start();
    recorder_start();
    mutex = xSemaphoreCreateMutex();
    semaphore = xSemaphoreCreateBinary();
    recursive = xSemaphoreCreateRecursiveMutex();
    filled = xSemaphoreCreateCounting(LENGTH, 0);
    queue = xQueueCreate(LENGTH, sizeof(uint32_t));
    events = xEventGroupCreate();
    vQueueAddToRegistry(mutex, "mutex");
    vQueueAddToRegistry(semaphore, "semaphore");
    vQueueAddToRegistry(recursive, "recursive");
    vQueueAddToRegistry(queue, "queue");
    vQueueAddToRegistry(filled, "filled");
#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_THREADX
    (void)rto_freertos_lock(semaphore, "semaphore");
    rto_freertos_name_event_group(events, "events");
#endif
    (void)xSemaphoreGive(semaphore);
    xTaskCreate(run_last, "last", 4096, NULL, 7, &last);
    xTaskCreate(run_high, "high", configMINIMAL_STACK_SIZE, NULL, 5, &high);
    xTaskCreate(run_middle, "middle", configMINIMAL_STACK_SIZE, NULL, 4, &middle);
    xTaskCreate(run_low, "low", configMINIMAL_STACK_SIZE, NULL, 3, &low);
    xTaskCreate(run_producer, "producer", configMINIMAL_STACK_SIZE, NULL, 2, &producer);
    xTaskCreate(run_consumer, "consumer", configMINIMAL_STACK_SIZE, NULL, 1, &consumer);
    count_task(last, "last");
    count_task(high, "high");
    count_task(middle, "middle");
    count_task(low, "low");
    count_task(producer, "producer");
    count_task(consumer, "consumer");
    count_first(last);
    vTaskStartScheduler();
    return 1;
}
