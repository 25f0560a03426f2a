/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * rtoscope: the header of RKH's trace module, as rkh.h includes it. See rkhtrc_record.h.
 */
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include_next "rkhtrc.h"
#include "rkhtrc_record.h"
