/* GCC's unwinder on Debian asks glibc for the unwind table of an address; musl has the older
 * dl_iterate_phdr alone. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* As glibc's <dlfcn.h> declares it for 64-bit processors. */
struct dl_find_object {
    unsigned long long flags;
    uintptr_t map_start;
    uintptr_t map_end;
    struct link_map *link_map;
    uintptr_t eh_frame;
    unsigned long long reserved[7];
};

struct search {
    uintptr_t address;
    struct dl_find_object *found;
};

static int search_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    struct dl_find_object *found = search->found;
    int is_inside = 0;
    (void)size;
    *found = (struct dl_find_object){0};
    for (int at = 0; at < info->dlpi_phnum; at++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[at];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->address - start < part->p_memsz) {
            found->map_start = start;
            found->map_end = start + part->p_memsz;
            is_inside = 1;
        }
        if (part->p_type == PT_GNU_EH_FRAME) {
            found->eh_frame = start;
        }
    }
    return is_inside && found->eh_frame != 0;
}

int _dl_find_object(void *address, struct dl_find_object *found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(search_object, &search) ? 0 : -1;
}

/* The unwinder's references are weak, and bring nothing from a static library. */
__attribute__((used)) static const void *const threads[] = {
    (const void *)pthread_once,
    (const void *)pthread_key_create,
    (const void *)pthread_getspecific,
    (const void *)pthread_setspecific,
    (const void *)pthread_mutex_lock,
    (const void *)pthread_mutex_unlock,
};
