/* rtoscope's headers on the models of RKH's. Writes the stream to shim.rkh. */
#include <stdio.h>
#include "rkh.h"

static FILE *file;
static RKH_TS_T now = 0xFFF0u;

RKH_TS_T rkh_trc_getts(void)
{
    return now = (RKH_TS_T)(now + 8u);
}

void rkh_trc_flush(void)
{
    const rui8_t *byte;

    while ((byte = rkh_trc_get()) != NULL) {
        fputc(*byte, file);
    }
}

static void record(const RKH_SMA_T *ao, RKH_SIG_T signal)
{
    static const rui8_t memory[] = {1, 2};

    RKH_TR_SMA_GET(ao, signal);
    if (rkh_trc_isoff_(RKH_TE_USER)) {
        rkh_trc_begin(RKH_TE_USER);
        rkh_trc_fmt_u16(5 << 4 | 3, 1200);
        rkh_trc_fmt_mem(memory, 2);
        rkh_trc_end();
    }
}

int main(void)
{
    static RKH_SMA_T pump = {3, "pump"};
    static RKH_BASE_T idle = {RKH_REGULAR, "idle"};

    file = fopen("shim.rkh", "wb");
    rkh_trc_init();
    RKH_TR_FWK_TCFG(1000);
    rkh_trc_ao(&pump);
    rkh_trc_state(&pump, (rui8_t *)&idle);
    rkh_trc_sig(7, "START");
    record(&pump, 7);
    rkh_trc_filter_event_(FILTER_OFF, RKH_TRC_ALL_EVENTS);
    record(&pump, 7);
    rkh_trc_symFil(RKHFilterSma, 3, FILTER_OFF);
    rkh_trc_symFil(RKHFilterSignal, 0, FILTER_OFF | RKH_TRC_ALL_FILTERS);
    record(&pump, 7);
    rkh_trc_flush();
    return fclose(file);
}
