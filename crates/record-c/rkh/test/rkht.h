/* RKH's integer types. */
#ifndef RKHT_H
#define RKHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int8_t ri8_t;
typedef int16_t ri16_t;
typedef int32_t ri32_t;
typedef uint8_t rui8_t;
typedef uint16_t rui16_t;
typedef uint32_t rui32_t;
typedef unsigned int ruint;
typedef int rInt;
typedef unsigned int rbool_t;

#endif
