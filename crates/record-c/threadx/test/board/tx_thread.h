#include "tx_api.h"

extern TX_THREAD *_tx_thread_current_ptr;
extern TX_THREAD *_tx_thread_execute_ptr;

void _tx_thread_schedule(void);
