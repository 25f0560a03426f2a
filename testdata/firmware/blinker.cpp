// A program for the tests of symbols: README.md says how it is compiled.

namespace board {

static inline __attribute__((always_inline)) void pulse(volatile unsigned *port) {
    *port = 1;
    *port = 0;
}

unsigned switch_log[16];

void blink(unsigned count, const char *) {
    while (count--) {
        pulse(reinterpret_cast<volatile unsigned *>(0x40000000));
    }
}

} // namespace board

extern "C" {

extern const char thread_name[] = "blinker \xC2\xB5";
unsigned profile_switch_log_start = 0x20001000;
static unsigned runs;

// Code of an assembler without type and size, as ports of kernels have it.
__asm__(".section .text.scheduler, \"ax\"\n"
        ".global scheduler_wait\n"
        ".thumb_func\n"
        "scheduler_wait:\n"
        "  wfi\n"
        "  b scheduler_wait\n"
        "scheduler_label:\n"
        "  nop\n"
        ".previous\n");

__attribute__((noinline)) static void count_run() { runs = runs + 1; }

void _start() {
    count_run();
    board::blink(board::switch_log[0], thread_name);
}
}
