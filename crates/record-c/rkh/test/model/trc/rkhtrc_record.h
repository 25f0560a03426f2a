#ifndef MODEL_RKHTRC_RECORD_H
#define MODEL_RKHTRC_RECORD_H

#include <stdint.h>

typedef uint8_t rui8_t, RKH_TE_ID_T, RKH_TG_T, RKH_SIG_T;
typedef uint16_t rui16_t, TRCQTY_T, RKH_TS_T;
typedef uint32_t rui32_t;
typedef unsigned rbool_t;
typedef struct { rui8_t prio; const char *name; } RKH_SMA_T;
typedef struct { rui8_t type; const char *name; } RKH_BASE_T;

#define RKH_ENABLED 1
#define RKH_DISABLED 0
#define RKH_CFG_TRC_EN RKH_ENABLED
#define RKH_CFG_TRC_ALL_EN RKH_ENABLED
#define RKH_CFG_TRC_RTFIL_EN RKH_ENABLED
#define RKH_CFG_TRC_SIZEOF_TE_ID 8
#define RKH_CFG_TRC_SIZEOF_STREAM 512u
#define RKH_TRC_ALL_GROUPS 8
#define RKH_TRC_ALL_EVENTS 0xE8
#define RKH_TRC_ALL_FILTERS 0x80
#define ECHANGE 0
#define RKH_REGULAR 1
#define CB(state_) ((RKH_BASE_T *)(void *)(state_))
#define RKH_GET_AO_NAME(ao_) ((ao_)->name)
#define RKH_GET_VERTEX_NAME(state_) (CB(state_)->name)
#define RKH_HOOK_PUT_TRCEVT() (void)0

#define RKH_TE_SMA_GET 0x42
#define RKH_TE_FWK_SIG 0xA7
#define RKH_TE_FWK_TCFG 0xAC
#define RKH_TE_FWK_AO 0xAE
#define RKH_TE_FWK_STATE 0xAF
#define RKH_TE_FWK_PSTATE 0xB0
#define RKH_TE_USER 0xC0

void rkh_trc_init(void);
void rkh_trc_begin(RKH_TE_ID_T eid);
void rkh_trc_end(void);
void rkh_trc_clear_chk(void);
void rkh_trc_u8(rui8_t d);
void rkh_trc_u16(rui16_t d);
void rkh_trc_u32(rui32_t d);
void rkh_trc_str(const char *s);
void rkh_trc_fmt_u16(rui8_t fmt, rui16_t d);
void rkh_trc_fmt_mem(const rui8_t *mem, rui8_t size);
void rkh_trc_obj(RKH_TE_ID_T tre, rui8_t *obj, const char *obj_name);
void rkh_trc_sig(RKH_SIG_T sig, const char *sig_name);
void rkh_trc_ao(void *ao);
void rkh_trc_state(void *ao, rui8_t *state);
rui8_t *rkh_trc_get(void);
rui8_t *rkh_trc_get_block(TRCQTY_T *nget);
TRCQTY_T rkh_trc_getWholeBlock(rui8_t *destBlock, TRCQTY_T nElem);
RKH_TS_T rkh_trc_getts(void);
void rkh_trc_flush(void);

#define RKH_TRC_FLUSH() rkh_trc_flush()
#define RKH_TRC_SIG(e_) rkh_trc_u8((rui8_t)(e_))
#define RKH_TRC_SYM(sym_) rkh_trc_u32((rui32_t)(uintptr_t)(sym_))
#define RKH_TRC_STR(s_) rkh_trc_str((s_))

/* A block that ends without a semicolon, statements, and a configuration without a header. */
#define RKH_TR_SMA_GET(ao_, sig_) \
    if (rkh_trc_isoff_(RKH_TE_SMA_GET) && rkh_trc_symFil_isoff(RKHFilterSma, (ao_)->prio) && \
        rkh_trc_symFil_isoff(RKHFilterSignal, sig_)) { \
        rkh_trc_begin(RKH_TE_SMA_GET); \
        RKH_TRC_SYM(ao_); \
        RKH_TRC_SIG(sig_); \
        rkh_trc_u32(0x01020304); \
        rkh_trc_end(); \
    }
#define RKH_TRC_BEGIN_WOFIL(eid_) rkh_trc_begin(eid_);
#define RKH_TRC_END_WOFIL() rkh_trc_end();
#define RKH_TR_FWK_TCFG(hz_) \
    rkh_trc_clear_chk(); \
    rkh_trc_u8(RKH_TE_FWK_TCFG); \
    rkh_trc_u16(0x3400); \
    rkh_trc_u32(0x3F80F); \
    rkh_trc_u8(0x12); \
    rkh_trc_u8(0x42); \
    rkh_trc_u8(0x11); \
    rkh_trc_u8(0x02); \
    rkh_trc_u8(0x14); \
    rkh_trc_u16((hz_)); \
    rkh_trc_end(); \
    RKH_TRC_FLUSH()

#endif
