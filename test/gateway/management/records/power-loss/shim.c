// Preloaded into a process (LD_PRELOAD): writes each change below one folder into a log, in the order in which they happen. A sync is
// logged and not made, because nothing goes off here: `disk.ts` builds from the log what a disk would hold after a power loss.
//
//   WEIR_POWER_LOSS_FOLDER  whose files are watched, as a real path
//   WEIR_POWER_LOSS_LOG     a file outside of it, which exists
//
// A record: the letter of the operation, and in little endian the length of its names (4 bytes), the inode (8), the offset (8), the
// length of its data (8); then names and data. Each record is one write to a file opened for appending, so that several processes may
// share the log. A change is made and logged under one lock, so that threads cannot swap the two.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder = NULL;
static size_t folder_length = 0;
static int log_file = -1;

#define REAL(type, name, ...)                                   \
  static type (*real)(__VA_ARGS__) = NULL;                      \
  if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t raw_writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  return real(fd, parts, count);
}

static int raw_open(const char *path, int flags, mode_t mode) {
  REAL(int, "open64", const char *, int, ...);
  return real(path, flags, mode);
}

// A log with a hole would only look like a disk: whatever cannot be logged ends the process.
static void give_up(const char *what) {
  dprintf(2, "power-loss: %s: %s\n", what, strerror(errno));
  abort();
}

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("WEIR_POWER_LOSS_LOG");
  folder = getenv("WEIR_POWER_LOSS_FOLDER");
  if (folder == NULL || name == NULL) return;
  folder_length = strlen(folder);
  log_file = raw_open(name, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
  if (log_file < 0) give_up(name);
}

static int is_watched(const char *path) {
  return log_file >= 0 && strncmp(path, folder, folder_length) == 0 &&
         (path[folder_length] == '/' || path[folder_length] == 0);
}

static int path_of(int fd, char *path) {
  if (log_file < 0 || fd == log_file) return 0;
  int before = errno;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  errno = before;
  if (length <= 0) return 0;
  path[length] = 0;
  return is_watched(path);
}

// Where the folder of a relative path is the one of the process.
static int absolute(const char *path, char *whole) {
  if (log_file < 0) return 0;
  int length;
  if (path[0] == '/') length = snprintf(whole, PATH_MAX, "%s", path);
  else {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == NULL) return 0;
    while (path[0] == '.' && path[1] == '/') path += 2;
    length = snprintf(whole, PATH_MAX, "%s/%s", here, path);
  }
  while (length > 1 && length < PATH_MAX && whole[length - 1] == '/') whole[--length] = 0;
  return length < PATH_MAX && is_watched(whole);
}

static uint64_t inode_of(int fd) {
  struct stat seen;
  if (fstat(fd, &seen) != 0) give_up("fstat");
  return seen.st_ino;
}

static void note(char operation, const char *names, size_t names_length, uint64_t inode,
                 uint64_t offset, const void *data, uint64_t length) {
  int before = errno;
  char head[29];
  uint32_t short_length = names_length;
  head[0] = operation;
  memcpy(head + 1, &short_length, 4);
  memcpy(head + 5, &inode, 8);
  memcpy(head + 13, &offset, 8);
  memcpy(head + 21, &length, 8);
  struct iovec parts[3] = {{head, sizeof head}, {(void *)names, names_length}, {(void *)data, length}};
  ssize_t whole = sizeof head + names_length + length;
  if (raw_writev(log_file, parts, 3) != whole) give_up("the log");
  errno = before;
}

static void note_path(char operation, const char *path, uint64_t inode) {
  note(operation, path, strlen(path), inode, 0, NULL, 0);
}

static void note_pair(char operation, const char *from, const char *to) {
  char names[2 * PATH_MAX];
  size_t first = strlen(from), second = strlen(to);
  memcpy(names, from, first + 1);
  memcpy(names + first + 1, to, second);
  note(operation, names, first + 1 + second, 0, 0, NULL, 0);
}

// Opening: a file that was not there is made, one that was may be emptied.
static int opened(const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  if ((flags & (O_CREAT | O_TRUNC)) == 0 || !absolute(path, whole)) return raw_open(path, flags, mode);
  pthread_mutex_lock(&lock);
  int before = errno;
  int was_there = access(whole, F_OK) == 0;
  errno = before;
  int fd = raw_open(path, flags, mode);
  if (fd >= 0 && !was_there) note_path('c', whole, inode_of(fd));
  else if (fd >= 0 && (flags & O_TRUNC)) note('t', "", 0, inode_of(fd), 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return fd;
}

static mode_t mode_in(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;
}

#define OPENING(name)                          \
  int name(const char *path, int flags, ...) { \
    va_list more;                              \
    va_start(more, flags);                     \
    mode_t mode = mode_in(flags, more);        \
    va_end(more);                              \
    return opened(path, flags, mode);          \
  }
OPENING(open)
OPENING(open64)

static void note_written(int fd, off_t offset, const void *data, ssize_t length) {
  if (length > 0) note('w', "", 0, inode_of(fd), offset, data, length);
}

static off_t offset_of(int fd) {
  int flags = fcntl(fd, F_GETFL);
  struct stat seen;
  if (flags & O_APPEND) return fstat(fd, &seen) == 0 ? seen.st_size : -1;
  return lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd, data, length);
  pthread_mutex_lock(&lock);
  off_t offset = offset_of(fd);
  ssize_t written = real(fd, data, length);
  note_written(fd, offset, data, written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd, data, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t written = real(fd, data, length, offset);
  note_written(fd, offset, data, written);
  pthread_mutex_unlock(&lock);
  return written;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  return pwrite64(fd, data, length, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return raw_writev(fd, parts, count);
  ssize_t all = 0;
  for (int i = 0; i < count; i++) {
    ssize_t written = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (written < 0) return all > 0 ? all : written;
    all += written;
    if ((size_t)written < parts[i].iov_len) break;
  }
  return all;
}

int ftruncate64(int fd, off64_t length) {
  REAL(int, "ftruncate64", int, off64_t);
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd, length);
  pthread_mutex_lock(&lock);
  int status = real(fd, length);
  if (status == 0) note('t', "", 0, inode_of(fd), length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return status;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd, const char *path) {
  struct stat seen;
  pthread_mutex_lock(&lock);
  int status = fstat(fd, &seen);
  if (status == 0) note_path(S_ISDIR(seen.st_mode) ? 'd' : 's', path, seen.st_ino);
  pthread_mutex_unlock(&lock);
  return status;
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  char path[PATH_MAX];
  return path_of(fd, path) ? synced(fd, path) : real(fd);
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  char path[PATH_MAX];
  return path_of(fd, path) ? synced(fd, path) : real(fd);
}

#define NAMED(name, letter, call, ...)                 \
  int name(__VA_ARGS__) {                              \
    REAL(int, #name, __VA_ARGS__);                     \
    char whole[PATH_MAX];                              \
    if (!absolute(path, whole)) return real call;      \
    pthread_mutex_lock(&lock);                         \
    int status = real call;                            \
    if (status == 0) note_path(letter, whole, 0);      \
    pthread_mutex_unlock(&lock);                       \
    return status;                                     \
  }
NAMED(unlink, 'u', (path), const char *path)
NAMED(rmdir, 'x', (path), const char *path)
NAMED(mkdir, 'm', (path, mode), const char *path, mode_t mode)

#define PAIRED(name, letter)                                         \
  int name(const char *from, const char *to) {                       \
    REAL(int, #name, const char *, const char *);                    \
    char first[PATH_MAX], second[PATH_MAX];                          \
    int is_in = absolute(from, first), is_out = absolute(to, second); \
    if (!is_in && !is_out) return real(from, to);                    \
    pthread_mutex_lock(&lock);                                       \
    int status = real(from, to);                                     \
    if (status == 0) note_pair(letter, first, second);               \
    pthread_mutex_unlock(&lock);                                     \
    return status;                                                   \
  }
PAIRED(rename, 'r')
PAIRED(link, 'l')
