/* Models of RKH's headers: the shapes that rtoscope's headers for RKH rely on. */
#include "rkhtrc.h"
