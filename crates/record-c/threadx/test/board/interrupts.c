/* The entries for disabled interrupts, with nested sections: a source file of ThreadX that
   is compiled with rtoscope_interrupts.h. */
#include "../../rtoscope_interrupts.h"

#include <stdio.h>

TX_THREAD *_tx_thread_current_ptr;
TX_THREAD *_tx_thread_execute_ptr;

void _tx_thread_schedule(void)
{
}

UINT _tx_thread_interrupt_control(UINT new_posture)
{
    UINT before;

    __asm__ volatile("mrs %0, primask" : "=r"(before) : : "memory");
    __asm__ volatile("msr primask, %0" : : "r"(new_posture) : "memory");
    return before;
}

static void inner(void)
{
    UINT interrupt_save;

    TX_DISABLE
    TX_RESTORE
}

int main(void)
{
    static struct rto_cswitch_entry entries[8];
    static const uint32_t kinds[] = {
        RTO_INT_DISABLE,
        RTO_INT_DISABLE | RTO_PREVIOUSLY_DISABLED,
        RTO_INT_DISABLE | RTO_PREVIOUSLY_DISABLED,
        RTO_INT_RESTORE | RTO_PREVIOUSLY_DISABLED,
    };
    struct rto_cswitch_position position;
    UINT interrupt_save;
    int wrong = 0;

    rto_cswitch_start(&rtoscope_cswitch_log, entries, 8, false);
    TX_DISABLE
    inner();
    TX_RESTORE
    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    for (unsigned number = 0; number < 4; number++) {
        if (position.written != 4 || entries[number].kind != kinds[number]) {
            printf("%u entries; entry %u has kind %u\n", (unsigned)position.written, number,
                   (unsigned)entries[number].kind);
            wrong = 1;
        }
    }
    return wrong;
}
