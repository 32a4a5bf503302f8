/* glibc's _dl_find_object for musl: Debian's libgcc_eh.a calls it to find the unwind table of the code at
 * a program counter. musl has only the older dl_iterate_phdr, which answers the same question.
 *
 * Lives in the sysroot's copy of libgcc_eh.a. Thread-safe, allocates nothing. Returns 0 and fills `result`,
 * or returns -1 when no loaded object holds `pc` or the object has no table. */

#include <link.h>
#include <stdint.h>

/* The leading fields of glibc's struct dl_find_object (<dlfcn.h> of glibc 2.35) on x86-64, which are all
 * that libgcc reads. */
struct object {
    unsigned long long flags;
    void* mapStart;
    void* mapEnd;
    void* linkMap;
    void* ehFrameHeader;
};

struct search {
    uintptr_t pc;
    struct object* result;
};

static int inspect(struct dl_phdr_info* info, size_t size, void* data) {
    struct search* search = data;
    uintptr_t first = UINTPTR_MAX, last = 0, table = 0;
    int holdsPc = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        uintptr_t end = start + header->p_memsz;
        if (header->p_type == PT_GNU_EH_FRAME) table = start;
        if (header->p_type != PT_LOAD) continue;
        if (start < first) first = start;
        if (end > last) last = end;
        if (search->pc >= start && search->pc < end) holdsPc = 1;
    }
    if (!holdsPc || table == 0) return 0;
    search->result->flags = 0;
    search->result->mapStart = (void*)first;
    search->result->mapEnd = (void*)last;
    search->result->linkMap = 0;
    search->result->ehFrameHeader = (void*)table;
    return 1;
}

int _dl_find_object(void* pc, struct object* result) {
    struct search search = {(uintptr_t)pc, result};
    return dl_iterate_phdr(inspect, &search) == 1 ? 0 : -1;
}
