#ifndef MODEL_RKHTRC_FILTER_H
#define MODEL_RKHTRC_FILTER_H

typedef rui8_t RKH_TRC_FSLOT;
typedef enum { RKHFilterTrcEvt, RKHFilterSignal, RKHFilterSma } RKHFilter;
enum { FILTER_ON, FILTER_OFF };

rbool_t rkh_trc_isoff_(RKH_TE_ID_T e);
void rkh_trc_filter_group_(rui8_t ctrl, RKH_TG_T grp, rui8_t mode);
void rkh_trc_filter_event_(rui8_t ctrl, RKH_TE_ID_T evt);
void rkh_trc_symFil(RKHFilter fd, RKH_TRC_FSLOT slot, rui8_t mode);
rbool_t rkh_trc_symFil_isoff(RKHFilter fd, RKH_TRC_FSLOT slot);

#endif
