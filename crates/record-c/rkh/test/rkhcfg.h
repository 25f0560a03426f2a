/* The configuration of RKH's demo "ahsm" with all records; SMALL: without filters, senders and
   low-water marks, and with wider signals. RKH has no records of the application without filters. */
#include_next "rkhcfg.h"

#undef RKH_CFG_TRC_SM_EXE_ACT_EN
#define RKH_CFG_TRC_SM_EXE_ACT_EN RKH_ENABLED
#undef RKH_CFG_TRC_SIZEOF_STREAM
#define RKH_CFG_TRC_SIZEOF_STREAM 2048u
#ifdef SMALL
#undef RKH_CFG_TRC_RTFIL_EN
#define RKH_CFG_TRC_RTFIL_EN RKH_DISABLED
#undef RKH_CFG_TRC_USER_TRACE_EN
#define RKH_CFG_TRC_USER_TRACE_EN RKH_DISABLED
#undef RKH_CFG_QUE_GET_LWMARK_EN
#define RKH_CFG_QUE_GET_LWMARK_EN RKH_DISABLED
#undef RKH_CFG_FWK_SIZEOF_EVT
#define RKH_CFG_FWK_SIZEOF_EVT 16u
#else
#undef RKH_CFG_SMA_TRC_SNDR_EN
#define RKH_CFG_SMA_TRC_SNDR_EN RKH_ENABLED
#endif
