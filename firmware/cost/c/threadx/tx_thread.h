#include "tx_api.h"

extern TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;

void _tx_thread_schedule(void);
void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);
