/* Records of RKH's own trace facility, unchanged, from its own macros. */

#include "cost.h"
#include "rkhtrc_record.h"
#include "rkhtrc_filter.h"
#include "rkhtrc_stream.h"
#include "rkhtrc_define.h"

/* Flag, id, sequence number, timestamp, two pointers, checksum. */
#define TWO_POINTERS (1 + 1 + 4 + 8 + 1 + 1)

/* The application must define it. */
RKH_TS_T rkh_trc_getts(void) { return CYCLE_COUNTER; }

#define RECORD(object_, state_)                                                \
    do                                                                         \
    {                                                                          \
        RKH_SR_ALLOC();                                                        \
        RKH_TRC_BEGIN_WOAOSIG(RKH_TE_SM_INIT)                                  \
            RKH_TRC_SYM(object_);                                              \
            RKH_TRC_SYM(state_);                                               \
        RKH_TRC_END()                                                          \
    } while (0)

#if RUNTIME_FILTER
CASE void cost_rkh_filter(const void *object, const void *state) { RECORD(object, state); }
CASE void cost_rkh_filtered(const void *object, const void *state) { RECORD(object, state); }

/* RKH's user records always query the filter. */
CASE void cost_rkh_user(uint32_t first, uint32_t second, uint32_t third)
{
    RKH_TRC_USR_BEGIN(RKH_TE_USER)
        RKH_TUSR_UI8(3, (rui8_t)first);
        RKH_TUSR_UI16(4, (rui16_t)second);
        RKH_TUSR_UI32(5, third);
    RKH_TRC_USR_END();
}
#else
CASE void cost_rkh_record(const void *object, const void *state) { RECORD(object, state); }
CASE void cost_rkh_escaped(const void *object, const void *state) { RECORD(object, state); }
CASE void cost_rkh_wrap(const void *object, const void *state) { RECORD(object, state); }
#endif

/* Takes all bytes and returns their number. */
static unsigned drain(void)
{
    unsigned total = 0;
    for (;;)
    {
        TRCQTY_T count = RKH_CFG_TRC_SIZEOF_STREAM;
        rkh_trc_get_block(&count);
        if (count == 0)
        {
            return total;
        }
        total += count;
    }
}

#define OBJECT ((const void *)0x20001234u)
#define STATE ((const void *)0x00005678u)

int main(void)
{
    unsigned wrong = 0;
    rkh_trc_init();
    wrong |= drain() ^ 1;
#if RUNTIME_FILTER
    /* RKH's filters suppress everything that is not enabled. */
    RKH_FILTER_OFF_EVENT(RKH_TRC_ALL_EVENTS);
    cost_rkh_filter(OBJECT, STATE);
    wrong |= drain() ^ TWO_POINTERS;
    cost_rkh_user(1, 2, 3);
    wrong |= drain() ^ (1 + 1 + 4 + 2 + 3 + 5 + 1 + 1);
    RKH_FILTER_ON_EVENT(RKH_TE_SM_INIT);
    cost_rkh_filtered(OBJECT, STATE);
    wrong |= drain();
#else
    cost_rkh_record(OBJECT, STATE);
    wrong |= drain() ^ TWO_POINTERS;
    cost_rkh_escaped((const void *)0x20007d7eu, (const void *)0x00007e7du);
    wrong |= drain() ^ (TWO_POINTERS + 4);
    /* The next byte is the third to last. */
    rkh_trc_init();
    drain();
    for (unsigned filled = 1; filled < RKH_CFG_TRC_SIZEOF_STREAM - 3; ++filled)
    {
        rkh_trc_put(0);
    }
    drain();
    cost_rkh_wrap(OBJECT, STATE);
    wrong |= drain() ^ TWO_POINTERS;
#endif
    return wrong == 0 ? 0 : 1;
}
