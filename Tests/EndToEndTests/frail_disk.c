/* A disk that loses writes and fails on demand, for a server with this library preloaded (frail_disk.py).
 *
 * It handles the files whose path begins with $FRAIL_DISK_FOLDER, except two that have no value after a crash: the
 * write-ahead log's index (-shm), which is mapped memory, and the lock.
 *
 * - It loses writes. Every write is first noted in $FRAIL_DISK_JOURNAL: offset, old bytes and new bytes. fsync and
 *   fdatasync of a file delete its notes; when no file has notes, the journal restarts. After a kill -9 the notes are
 *   the writes that a loss of power could have lost: the test reverts them before the next start.
 * - It fails. $FRAIL_DISK_ORDER is a file of one word, which is read before each call: `eio` fails writes and syncs,
 *   `eio-sync` fails syncs only, `read-only` fails writes and opening for writing, `full` fails writes with ENOSPC,
 *   `stall` delays each sync by 2 s, `hold` delays each until the word is another one. With any other word, or without
 *   the file, the disk works. While a sync is held, the file $FRAIL_DISK_ORDER.held is there.
 *
 * A note: 'W' or 'T' (write, truncate), the file's number, offset, length, length of the old bytes, the file's size
 * before; then the old bytes and the new bytes. 'N' names a file; 'S' means that it was synced.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 4096, FILES_MAX = 256, STALL_MILLISECONDS = 2000, HOLD_MILLISECONDS = 10 };

struct note {
    uint64_t kind, file, offset, length, before, size;
};

static struct {
    pthread_mutex_t lock;
    const char *folder, *order;
    int journal;
    /* By descriptor: the number of its file, 0 for files that are not handled. */
    uint64_t numbers[DESCRIPTORS_MAX];
    /* By number, from 1: the file's path, and whether it has unsynced writes. */
    uint64_t count;
    char *paths[FILES_MAX];
    char is_dirty[FILES_MAX];
    int (*open)(const char *, int, ...);
    int (*close)(int);
    ssize_t (*write)(int, const void *, size_t);
    ssize_t (*pwrite)(int, const void *, size_t, off_t);
    int (*ftruncate)(int, off_t);
    int (*fsync)(int);
    int (*fdatasync)(int);
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER, .journal = -1};

__attribute__((constructor)) static void begin(void) {
    if (disk.open) return; /* A file was opened before this constructor ran. */
    disk.open = dlsym(RTLD_NEXT, "open64");
    disk.close = dlsym(RTLD_NEXT, "close");
    disk.write = dlsym(RTLD_NEXT, "write");
    disk.pwrite = dlsym(RTLD_NEXT, "pwrite64");
    disk.ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    disk.fsync = dlsym(RTLD_NEXT, "fsync");
    disk.fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    disk.folder = getenv("FRAIL_DISK_FOLDER");
    disk.order = getenv("FRAIL_DISK_ORDER");
    const char *journal = getenv("FRAIL_DISK_JOURNAL");
    if (journal) disk.journal = disk.open(journal, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

/* Whether this order is in effect now. */
static int ordered(const char *word) {
    char said[16] = "";
    if (!disk.order) return 0;
    int file = disk.open(disk.order, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, said, sizeof said - 1);
    disk.close(file);
    return count > 0 && strcmp(said, word) == 0;
}

/* The error of an ordered failure of a write or a sync; 0 = none. */
static int failure(int is_sync) {
    if (ordered("eio") || (is_sync && ordered("eio-sync"))) return EIO;
    if (!is_sync && ordered("read-only")) return EROFS;
    if (!is_sync && ordered("full")) return ENOSPC;
    return 0;
}

static uint64_t number_of(int file) {
    if (!disk.open) begin();
    return file >= 0 && file < DESCRIPTORS_MAX ? disk.numbers[file] : 0;
}

static void put(const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t done = disk.write(disk.journal, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) abort(); /* A journal with a gap would make the test void. */
        at += done;
        count -= (size_t)done;
    }
}

/* Notes the bytes that a write of this length at this offset will replace. */
static void note_write(int file, const void *bytes, size_t count, off_t offset) {
    struct stat status;
    if (disk.journal < 0 || fstat(file, &status) != 0) return;
    char *old = malloc(count ? count : 1);
    if (!old) abort();
    ssize_t before = pread(file, old, count, offset);
    if (before < 0) before = 0;
    struct note note = {'W', number_of(file), (uint64_t)offset, count, (uint64_t)before, (uint64_t)status.st_size};
    disk.is_dirty[note.file] = 1;
    put(&note, sizeof note);
    put(old, (size_t)before);
    put(bytes, count);
    free(old);
}

static void note_truncation(int file, off_t size) {
    struct stat status;
    if (disk.journal < 0 || fstat(file, &status) != 0) return;
    size_t count = status.st_size > size ? (size_t)(status.st_size - size) : 0;
    char *old = malloc(count ? count : 1);
    if (!old || pread(file, old, count, size) != (ssize_t)count) abort();
    struct note note = {'T', number_of(file), (uint64_t)size, 0, count, (uint64_t)status.st_size};
    disk.is_dirty[note.file] = 1;
    put(&note, sizeof note);
    put(old, count);
    free(old);
}

static void name(uint64_t number) {
    size_t length = strlen(disk.paths[number]);
    struct note note = {'N', number, 0, length, 0, 0};
    put(&note, sizeof note);
    put(disk.paths[number], length);
}

/* Notes that all writes to the file are on disk. */
static void strike_out(uint64_t number) {
    if (disk.journal < 0) return;
    disk.is_dirty[number] = 0;
    for (uint64_t other = 1; other <= disk.count; other++) {
        if (!disk.is_dirty[other]) continue;
        struct note note = {'S', number, 0, 0, 0, 0};
        put(&note, sizeof note);
        return;
    }
    if (disk.ftruncate(disk.journal, 0) != 0) abort();
    for (uint64_t other = 1; other <= disk.count; other++) name(other);
}

static int is_ours(const char *path) {
    size_t length = strlen(path);
    if (!disk.folder || strncmp(path, disk.folder, strlen(disk.folder)) != 0) return 0;
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return length < 5 || strcmp(path + length - 5, ".lock") != 0;
}

/* Begins to handle a file that was just opened for writing. */
static void opened(int file, const char *path) {
    if (file < 0 || file >= DESCRIPTORS_MAX) return;
    pthread_mutex_lock(&disk.lock);
    uint64_t number = 1;
    while (number <= disk.count && strcmp(disk.paths[number], path) != 0) number++;
    if (number > disk.count) {
        if (number >= FILES_MAX || !(disk.paths[number] = strdup(path))) abort();
        disk.count = number;
        if (disk.journal >= 0) name(number);
    }
    disk.numbers[file] = number;
    pthread_mutex_unlock(&disk.lock);
}

static int open_file(const char *path, int flags, mode_t mode) {
    if (!disk.open) begin();
    int is_cared_for = (flags & O_ACCMODE) != O_RDONLY && is_ours(path);
    if (is_cared_for && ordered("read-only")) {
        errno = EROFS;
        return -1;
    }
    int file = disk.open(path, flags, mode);
    if (is_cared_for) opened(file, path);
    return file;
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_file(path, flags, mode);
}

int close(int file) {
    if (number_of(file)) {
        pthread_mutex_lock(&disk.lock);
        disk.numbers[file] = 0;
        pthread_mutex_unlock(&disk.lock);
    }
    return disk.close(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (!number_of(file)) return disk.pwrite(file, bytes, count, offset);
    if ((errno = failure(0)) != 0) return -1;
    pthread_mutex_lock(&disk.lock);
    note_write(file, bytes, count, offset);
    ssize_t done = disk.pwrite(file, bytes, count, offset);
    int error = errno;
    pthread_mutex_unlock(&disk.lock);
    errno = error;
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return pwrite64(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (!number_of(file)) return disk.write(file, bytes, count);
    if ((errno = failure(0)) != 0) return -1;
    pthread_mutex_lock(&disk.lock);
    note_write(file, bytes, count, lseek(file, 0, SEEK_CUR));
    ssize_t done = disk.write(file, bytes, count);
    int error = errno;
    pthread_mutex_unlock(&disk.lock);
    errno = error;
    return done;
}

int ftruncate64(int file, off64_t size) {
    if (!number_of(file)) return disk.ftruncate(file, size);
    if ((errno = failure(0)) != 0) return -1;
    pthread_mutex_lock(&disk.lock);
    note_truncation(file, size);
    int done = disk.ftruncate(file, size);
    int error = errno;
    pthread_mutex_unlock(&disk.lock);
    errno = error;
    return done;
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

/* Waits while the order is `hold`, and says so meanwhile. */
static void hold(void) {
    char path[PATH_MAX];
    if (!ordered("hold") || snprintf(path, sizeof path, "%s.held", disk.order) >= (int)sizeof path) return;
    disk.close(disk.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    while (ordered("hold")) poll(NULL, 0, HOLD_MILLISECONDS);
    unlink(path);
}

/* Writes of other threads to the same file wait meanwhile, so that only synced notes are deleted. */
static int sync_file(int file, int (*sync)(int)) {
    if (!number_of(file)) return sync(file);
    if (ordered("stall")) poll(NULL, 0, STALL_MILLISECONDS);
    hold();
    if ((errno = failure(1)) != 0) return -1;
    pthread_mutex_lock(&disk.lock);
    int done = sync(file);
    int error = errno;
    if (done == 0) strike_out(number_of(file));
    pthread_mutex_unlock(&disk.lock);
    errno = error;
    return done;
}

int fsync(int file) { return sync_file(file, disk.fsync); }

int fdatasync(int file) { return sync_file(file, disk.fdatasync); }
