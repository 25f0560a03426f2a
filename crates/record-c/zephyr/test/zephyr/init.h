#define SYS_INIT(function, level, priority) int (*const sys_init_##level)(void) = function
