/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: RKH's trace module on rtoscope's recorder, for RKH 3.
 *
 * Put this folder before RKH's in the include path, compile rtoscope_rkhtrc.c in place of the
 * three files in RKH's source/trc/src, and link with rtoscope's library. Everything else stays
 * as it is: RKH's configuration, and the application's rkh_trc_open, rkh_trc_flush and
 * rkh_trc_getts.
 *
 * RKH's macros remain, with the sizes of its configuration. The functions that they call are
 * macros here: they build a record on the stack.
 */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#ifndef RTOSCOPE_RKHTRC_RECORD_H
#define RTOSCOPE_RKHTRC_RECORD_H

/* The declarations of the functions precede the macros. */
#include_next "rkhtrc_record.h"
#include "rkhtrc_filter.h"
#include "rtoscope.h"

#if RKH_CFG_TRC_EN == RKH_ENABLED

#ifdef __cplusplus
extern "C"
#endif
/* Writes a record, or keeps and sends the configuration. Called with interrupts disabled. */
void rto_rkhtrc_end(uint32_t id, uint32_t *words, uint32_t length);

/* The configuration, for which RKH does not call rkh_trc_begin, has its id in the arguments. */
#define RTO_RKHTRC_CONFIGURATION 0x100u

#define RTO_RKHTRC_BEGIN_(id_) \
    { \
        const uint32_t rto_id_ = (id_); \
        uint32_t rto_length_ = 0; \
        uint32_t rto_words_[RTO_RKH_MAX_BYTES / 4 + 1]
#define rkh_trc_begin(eid_) RTO_RKHTRC_BEGIN_(rto_rkh_id(eid_))
#define rkh_trc_clear_chk() RTO_RKHTRC_BEGIN_(RTO_RKHTRC_CONFIGURATION)
#define rkh_trc_end() \
        rto_rkhtrc_end(rto_id_, rto_words_, rto_length_); \
    }

#define rkh_trc_isoff_(eid_) rto_rkh_records(rto_rkh_id(eid_))

#define rkh_trc_u8(d_) RTO_RKH_NUMBER(d_, 1u)
#define rkh_trc_u16(d_) RTO_RKH_NUMBER(d_, 2u)
#define rkh_trc_u32(d_) RTO_RKH_NUMBER(d_, 4u)
#define rkh_trc_str(s_) RTO_RKH_TEXT(s_)

#define RTO_RKHTRC_ITEM_(fmt_, item_) \
    do { \
        RTO_RKH_NUMBER(fmt_, 1u); \
        item_; \
    } while (0)
#define rkh_trc_fmt_u8(fmt_, d_) RTO_RKHTRC_ITEM_(fmt_, rkh_trc_u8(d_))
#define rkh_trc_fmt_u16(fmt_, d_) RTO_RKHTRC_ITEM_(fmt_, rkh_trc_u16(d_))
#define rkh_trc_fmt_u32(fmt_, d_) RTO_RKHTRC_ITEM_(fmt_, rkh_trc_u32(d_))
#define rkh_trc_fmt_str(s_) RTO_RKHTRC_ITEM_(RTO_RKH_STR, rkh_trc_str(s_))
#define rkh_trc_fmt_mem(mem_, size_) RTO_RKHTRC_ITEM_(RTO_RKH_MEM, RTO_RKH_MEMORY(mem_, size_))

#endif

#endif
