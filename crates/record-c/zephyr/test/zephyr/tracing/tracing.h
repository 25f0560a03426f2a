#include <zephyr/kernel.h>

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread);
void sys_trace_thread_switched_in_user(void);
void sys_trace_thread_switched_out_user(void);
void sys_trace_thread_sched_ready_user(struct k_thread *thread);
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);
void sys_trace_k_sem_take_blocking_user(struct k_sem *sem, k_timeout_t timeout);
void sys_trace_k_mutex_lock_blocking_user(struct k_mutex *mutex, k_timeout_t timeout);
void sys_trace_k_msgq_get_blocking_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_msgq_put_blocking_user(struct k_msgq *msgq, k_timeout_t timeout);
void sys_trace_k_event_wait_blocking_user(struct k_event *event, uint32_t events,
                                          uint32_t options, k_timeout_t timeout);
