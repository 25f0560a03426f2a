/* Writes packed.cswl through a simulated Instrumentation Trace Macrocell: packed.itm has the bytes
   of the pin. */
#include <stdint.h>
#include <stdio.h>

static FILE *pin;
static uint32_t control[0x1000 / 4];
static unsigned packets;

static void put(uint32_t word, unsigned bytes)
{
    unsigned byte;

    for (byte = 0; byte < bytes; byte++) {
        fputc((int)(word >> 8u * byte & 0xFFu), pin);
    }
}

static uint32_t read_register(uint32_t offset)
{
    /* A port always has room. */
    return offset < 0x80u ? 1u : control[offset / 4u];
}

/* As the macrocell sends them: packets of stimulus ports, among others. */
static void write_register(uint32_t offset, uint32_t word, unsigned bytes)
{
    if (offset >= 0x80u) {
        control[offset / 4u] = word;
        return;
    }
    put(offset / 4u << 3 | (bytes == 4u ? 3u : 1u), 1);
    put(word, bytes);
    packets++;
    if (packets % 7u == 0) {
        put(0x85C0u, 2); /* a timestamp that continues, */
        put(0x04u, 1);   /* and ends */
    }
    if (packets % 50u == 0) {
        put(0, 4);
        put(0, 2);
        put(0x80u, 1);
    }
}

#define RTO_ITM_READ(offset) read_register(offset)
#define RTO_ITM_WRITE32(offset, word) write_register((offset), (word), 4)
#define RTO_ITM_WRITE8(offset, byte) write_register((offset), (byte), 1)
#include "rtoscope_itm.h"

int main(void)
{
    static const uint8_t text[] = "a text of port 0";
    uint8_t bytes[100];
    size_t count;
    FILE *const stream = fopen("packed.cswl", "rb");

    pin = fopen("packed.itm", "wb");
    if (stream == NULL || pin == NULL || rto_itm_write(1, bytes, 1) != 0) {
        return 1;
    }
    rto_itm_enable(0);
    rto_itm_enable(1);
    while ((count = fread(bytes, 1, sizeof(bytes), stream)) > 0) {
        if (rto_itm_write(1, bytes, count) != count
            || rto_itm_write(0, text, sizeof(text)) != sizeof(text)) {
            return 2;
        }
    }
    return fclose(stream) == 0 && fclose(pin) == 0 ? 0 : 3;
}
