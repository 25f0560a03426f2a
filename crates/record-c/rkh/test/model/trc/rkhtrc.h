#include "rkhtrc_record.h"
#include "rkhtrc_filter.h"
