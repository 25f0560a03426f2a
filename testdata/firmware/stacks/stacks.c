/* Records its own stack at the bottom of known calls, and prints it by semihosting:
 * program counter, stack pointer, link register, R7, R11, then the words.
 *
 * Reset -> thread_entry -> outer -> middle -> record, and
 * Reset -> thread_entry -> wait -> (exception) SVC_Handler -> in_handler -> record */

typedef unsigned int word;

extern word stack_end[];

static void print(const char *text)
{
    register word operation __asm__("r0") = 4;
    register const char *argument __asm__("r1") = text;
    __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
}

static void print_word(word value)
{
    char text[10];
    for (int digit = 0; digit < 8; digit++)
        text[digit] = "0123456789abcdef"[value >> (28 - 4 * digit) & 15];
    text[8] = '\n';
    text[9] = 0;
    print(text);
}

static word registers[5];

__attribute__((noinline)) static void show(void)
{
    for (int number = 0; number < 5; number++)
        print_word(registers[number]);
    for (const word *at = (const word *)registers[1]; at < stack_end; at++)
        print_word(*at);
    print("\n");
}

__attribute__((noinline)) void record(volatile word *result)
{
    __asm__ volatile("mov r0, pc\n str r0, [%0]\n mov r0, sp\n str r0, [%0, #4]\n"
                     "str lr, [%0, #8]\n str r7, [%0, #12]\n mov r0, r11\n str r0, [%0, #16]"
                     : : "r"(registers) : "r0", "memory");
    show();
    *result += 1;
}

__attribute__((noinline)) void middle(volatile word *result)
{
    volatile word local[5] = {1, 2, 3, 4, 5};
    record(&local[1]);
    *result = local[1];
}

__attribute__((noinline)) word outer(word length)
{
    volatile word area[length];
    area[0] = 7;
    middle(area);
    return area[0];
}

__attribute__((noinline)) void in_handler(void)
{
    volatile word result = 0;
    record(&result);
}

void SVC_Handler(void)
{
    volatile word local[3] = {0};
    in_handler();
    local[0]++;
}

__attribute__((noinline)) word wait(word value)
{
    volatile word local = value;
    __asm__ volatile("svc 0");
    return local + 1;
}

__attribute__((noinline)) void thread_entry(void)
{
    volatile word sum = outer(6);
    sum += wait(sum);
}

void Reset(void)
{
    thread_entry();
    register word operation __asm__("r0") = 0x18;
    register word argument __asm__("r1") = 0x20026;
    __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument));
    for (;;)
        ;
}

__attribute__((section(".vectors"), used)) void *const vectors[] = {
    stack_end, Reset, 0, 0, 0, 0, 0, 0, 0, 0, 0, SVC_Handler,
};

/* The unwind tables refer to the routines of the runtime, which never run here. */
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
