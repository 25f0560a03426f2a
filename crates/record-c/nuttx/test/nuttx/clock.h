#include <stdint.h>

uint64_t perf_gettime(void);
unsigned long perf_getfreq(void);
