/* ThreadX for demo.c. */
#ifndef TX_USER_H
#define TX_USER_H

#define TX_TIMER_TICKS_PER_SECOND 1000
/* Threads call _tx_thread_system_return, which the program can recognise. */
#define TX_DISABLE_INLINE

#endif
