// Loaded into agneto (LD_PRELOAD), this kills it at a chosen point of what it does to the world:
// before, after and, of a write, in the middle of every call that starts a program, writes or
// flushes a file of the journal, sends something to its database, or renames a file.
//
//   AGNETO_CRASH_AT    the point to die at, from 1; without it none
//   AGNETO_CRASH_LOG   a file that gets a line for each point: what it is
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long passed;
static long deadly;
static int log_file = -1;
static int active;

__attribute__((constructor)) static void begin(void) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0) return;
  program[length] = 0;
  const char* name = strrchr(program, '/');
  active = name && strcmp(name, "/agneto") == 0;
  if (!active) return;
  const char* at = getenv("AGNETO_CRASH_AT");
  const char* path = getenv("AGNETO_CRASH_LOG");
  if (at) deadly = atol(at);
  if (path) log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_here(const char* what, const char* detail) {
  long number = atomic_fetch_add(&passed, 1) + 1;
  if (log_file >= 0) {
    char line[512];
    int size = snprintf(line, sizeof line, "%s %s\n", what, detail);
    if (size > (int)sizeof line - 1) size = sizeof line - 1;
    syscall(SYS_write, log_file, line, (size_t)size);
  }
  return number == deadly;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void point(const char* what, const char* detail) {
  if (active && is_here(what, detail)) die();
}

static const char* file_of(int fd) {
  static _Thread_local char path[256];
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  const char* name = strrchr(path, '/');
  return name ? name + 1 : path;
}

int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const argv[], char* const env[]) {
  int (*real)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
              char* const[], char* const[]) = dlsym(RTLD_NEXT, "posix_spawnp");
  char what[256] = "";
  for (int i = 0; argv[i] && strlen(what) < 200; ++i) {
    strncat(what, i ? " " : "", sizeof what - strlen(what) - 1);
    strncat(what, argv[i], 60);
  }
  point("before starting", what);
  const int result = real(pid, file, actions, attributes, argv, env);
  point("after starting", what);
  return result;
}

static int flushed(const char* name, int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  const char* file = file_of(fd);
  point("before flushing", file);
  const int result = real(fd);
  const int error = errno;
  point("after flushing", file);
  errno = error;
  return result;
}
int fsync(int fd) {
  return flushed("fsync", fd);
}
int fdatasync(int fd) {
  return flushed("fdatasync", fd);
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  ssize_t (*real)(int, const void*, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  const char* file = file_of(fd);
  point("before writing", file);
  if (active && is_here("in the middle of writing", file)) {
    real(fd, bytes, size / 2, at);
    die();
  }
  return real(fd, bytes, size, at);
}

// To a database, which has the statement then whether it is asked for its answer or not.
ssize_t send(int socket, const void* bytes, size_t size, int flags) {
  ssize_t (*real)(int, const void*, size_t, int) = dlsym(RTLD_NEXT, "send");
  point("before sending", "");
  if (active && is_here("in the middle of sending", "")) {
    real(socket, bytes, size / 2, flags);
    die();
  }
  const ssize_t result = real(socket, bytes, size, flags);
  const int error = errno;
  point("after sending", "");
  errno = error;
  return result;
}

int rename(const char* from, const char* to) {
  int (*real)(const char*, const char*) = dlsym(RTLD_NEXT, "rename");
  point("before renaming", to);
  const int result = real(from, to);
  const int error = errno;
  point("after renaming", to);
  errno = error;
  return result;
}
