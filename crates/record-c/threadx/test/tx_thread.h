#include "tx_api.h"

extern TX_THREAD *threadx_current;
extern TX_THREAD *threadx_execute;

#define _tx_thread_current_ptr (*(interrupt_point(), &threadx_current))
#define _tx_thread_execute_ptr (*(interrupt_point(), &threadx_execute))

void _tx_thread_schedule(void);
