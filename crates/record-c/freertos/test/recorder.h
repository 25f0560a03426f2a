/* The recorder that RTO_FREERTOS_RECORDER chooses, and where its bytes go. */
#ifndef RECORDER_H
#define RECORDER_H

#include <stdint.h>

/* Starts recording, before the first task is created. */
void recorder_start(void);

/* Sends what was recorded, and takes what the host sends, if the recorder is a stream. */
void recorder_transfer(void);

/* Ends recording: sends the rest, or writes the recording to a file. */
void recorder_end(void);

/* Number of lost entries. */
uint32_t recorder_lost(void);

#endif
