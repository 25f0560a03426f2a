#include <stdint.h>

typedef uint32_t irqstate_t;

irqstate_t up_irq_save(void);
void up_irq_restore(irqstate_t flags);
