#include "allocations.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace {

thread_local constinit std::uint64_t count = 0;

}  // namespace

// glibc's own, under the names that it keeps for programs that wrap them.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) noexcept {
  ++count;
  return __libc_realloc(block, size);
}
}

namespace agneto::bench {

std::uint64_t allocations() {
  return count;
}

std::uint64_t heap_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t resident_bytes() {
  malloc_trim(0);
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace agneto::bench
