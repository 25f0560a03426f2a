/* The entries of a scheduler in assembly, scheduler.S. Runs on a microcontroller. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "rtoscope.h"

void resume(uintptr_t address, const char *name);

uint32_t after_entries;

typedef char offset_in_rtoscope_asm[offsetof(struct rto_cswitch, on) == 56 ? 1 : -1];

int main(void)
{
    static struct rto_cswitch_entry entries[4];
    struct rto_cswitch_position position;

    resume(1, "off");
    rto_cswitch_start(&rtoscope_cswitch_log, entries, 4, false);
    resume(0x1234, "worker");
    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    resume(2, "off");
    if (position.written != 2 || after_entries != 3 || entries[0].kind != RTO_SYNC_RESUME
        || entries[1].kind != RTO_ISR_ENTER || entries[0].address != 0x1234
        || strcmp(entries[1].name, "worker") != 0) {
        printf("%u entries, %u after\n", (unsigned)position.written, (unsigned)after_entries);
        return 1;
    }
    return 0;
}
