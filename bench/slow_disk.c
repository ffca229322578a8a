// Loaded into a program before the C library, it makes each flush of a file take a millisecond longer, as that
// of a disk on a network does.
#include <time.h>
#include <unistd.h>

#include <sys/syscall.h>

static int flush(long call, int file) {
  const struct timespec millisecond = {0, 1000000};
  nanosleep(&millisecond, 0);
  return (int)syscall(call, file);
}

int fsync(int file) { return flush(SYS_fsync, file); }
int fdatasync(int file) { return flush(SYS_fdatasync, file); }
