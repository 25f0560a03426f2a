/* ThreadX for demo.c. */
#ifndef TX_USER_H
#define TX_USER_H

#define TX_TIMER_TICKS_PER_SECOND 1000

#include "rtoscope_threadx_stream.h"

#endif
