/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: the functions of RKH's trace module, in place of those in RKH's source/trc/src.
 */
#include "rkh.h"

#if RKH_CFG_TRC_EN == RKH_ENABLED

#if !defined(RTOSCOPE_RKHTRC_RECORD_H)
#error "put the folder of this file before those of RKH, which differ, in the include path"
#endif
#if RKH_CFG_TRC_ALL_EN == RKH_DISABLED && RKH_CFG_TRC_FWK_EN == RKH_DISABLED
#error "enable RKH_CFG_TRC_FWK_EN: the stream contains RKH's configuration"
#endif
#if RKH_CFG_TRC_SIZEOF_STREAM < 64
#error "RKH_CFG_TRC_SIZEOF_STREAM must be 64 or more"
#endif

/* The timestamp of the record that is written. */
static rto_counter now;

void rto_rkhtrc_end(uint32_t id, uint32_t *words, uint32_t length)
{
  if (id == RTO_RKHTRC_CONFIGURATION) {
    rto_rkh_fwk_tcfg_of((const uint8_t *)words + RKH_CFG_TRC_SIZEOF_TE_ID / 8);
  } else if (rto_rkh_is_recording()) {
    /* RKH's timestamps may be narrower than those of the stream. */
    now += (RKH_TS_T)(rkh_trc_getts() - (RKH_TS_T)now);
    rto_rkh_write_encoded(id, RTO_RKH_NO_PRIORITY, RTO_RKH_NO_SIGNAL, words, length);
    RKH_HOOK_PUT_TRCEVT();
  }
}

/* The application has nowhere to send the stream to before rkh_trc_init returns. */
#undef RKH_TRC_FLUSH
#define RKH_TRC_FLUSH() ((void)0)

static void configure(void)
{
  RKH_TR_FWK_TCFG(0);
}

void rkh_trc_init(void)
{
  static uint8_t ring[RKH_CFG_TRC_SIZEOF_STREAM];

  configure();
  rto_set_counter(&now);
  (void)rto_rkh_start(ring, sizeof(ring));
#if RKH_CFG_TRC_RTFIL_EN == RKH_DISABLED
  (void)rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true);
#endif
}

/* The stream. */

static uint8_t taken[32];

rui8_t *rkh_trc_get_block(TRCQTY_T *nget)
{
  *nget = (TRCQTY_T)rto_rkh_take(taken, *nget < sizeof(taken) ? *nget : sizeof(taken));
  return *nget > 0 ? taken : NULL;
}

rui8_t *rkh_trc_get(void)
{
  TRCQTY_T one = 1;

  return rkh_trc_get_block(&one);
}

TRCQTY_T rkh_trc_getWholeBlock(rui8_t *destBlock, TRCQTY_T nElem)
{
  return (TRCQTY_T)rto_rkh_take(destBlock, nElem);
}

/* Filters. */

void rkh_trc_filter_group_(rui8_t ctrl, RKH_TG_T grp, rui8_t mode)
{
  const uint32_t selection = grp == RKH_TRC_ALL_GROUPS ? RTO_RKH_ALL_GROUPS
                             : mode == ECHANGE         ? RTO_RKH_GROUP_EVENTS
                                                       : RTO_RKH_GROUP;

  (void)rto_rkh_filter(selection, grp, ctrl == FILTER_OFF);
}

void rkh_trc_filter_event_(rui8_t ctrl, RKH_TE_ID_T evt)
{
  const uint32_t selection = evt == RKH_TRC_ALL_EVENTS ? RTO_RKH_ALL_EVENTS : RTO_RKH_EVENT;

  (void)rto_rkh_filter(selection, evt, ctrl == FILTER_OFF);
}

void rkh_trc_symFil(RKHFilter fd, RKH_TRC_FSLOT slot, rui8_t mode)
{
  const bool has_all = (mode & RKH_TRC_ALL_FILTERS) != 0;
  const uint32_t selection = fd == RKHFilterSma ? (has_all ? RTO_RKH_ALL_OBJECTS : RTO_RKH_OBJECT)
                                                : (has_all ? RTO_RKH_ALL_SIGNALS : RTO_RKH_SIGNAL);

  (void)rto_rkh_filter(selection, slot, (mode & (rui8_t)~RKH_TRC_ALL_FILTERS) == FILTER_OFF);
}

rbool_t rkh_trc_symFil_isoff(RKHFilter fd, RKH_TRC_FSLOT slot)
{
  return fd == RKHFilterSma ? rto_rkh_passes_object_and_signal((uint8_t)slot, RTO_RKH_NO_SIGNAL)
                            : rto_rkh_passes_object_and_signal(RTO_RKH_NO_PRIORITY, slot);
}

/* Names. `owner` is NULL for all but states. */

static void write_name(RKH_TE_ID_T record, const void *owner, const void *object,
                       const char *name)
{
  RKH_TRC_BEGIN_WOFIL(record)
    if (owner != NULL) {
      RKH_TRC_SYM(owner);
    }
    RKH_TRC_SYM(object);
    RKH_TRC_STR(name);
  RKH_TRC_END_WOFIL()
  rkh_trc_flush();
}

void rkh_trc_obj(RKH_TE_ID_T tre, rui8_t *obj, const char *obj_name)
{
  write_name(tre, NULL, obj, obj_name);
}

void rkh_trc_ao(void *ao)
{
  write_name(RKH_TE_FWK_AO, NULL, ao, RKH_GET_AO_NAME((RKH_SMA_T *)ao));
}

void rkh_trc_state(void *ao, rui8_t *state)
{
  const bool is_state = (CB(state)->type & RKH_REGULAR) != 0;

  write_name(is_state ? RKH_TE_FWK_STATE : RKH_TE_FWK_PSTATE, ao, state,
             RKH_GET_VERTEX_NAME(state));
}

void rkh_trc_sig(RKH_SIG_T sig, const char *sig_name)
{
  RKH_TRC_BEGIN_WOFIL(RKH_TE_FWK_SIG)
    RKH_TRC_SIG(sig);
    RKH_TRC_STR(sig_name);
  RKH_TRC_END_WOFIL()
  rkh_trc_flush();
}

#endif
