// Counts this thread's requests for memory: C++'s, and those of liblua, which calls realloc.
#pragma once

#include <cstdint>

namespace agneto::bench {

// Since the thread began; frees are not counted.
std::uint64_t allocations();

// In use by the whole process, as the allocator sees it.
std::uint64_t heap_bytes();

// Resident in memory, of the whole process, once what the heap does not use was given back.
std::uint64_t resident_bytes();

}  // namespace agneto::bench
