// A link of delay and loss for kernels without netem: two network namespaces, a TUN device in each, and this process
// carries the packets between them.
//
//   link [--delay MS] [--loss SHARE] [--queue PACKETS] [--seed N] COMMAND...
//   link [the same] --check
//
// Delay and loss are those of each direction: a round trip takes twice the delay. Packets keep their order. COMMAND
// runs at the near end, 127.7.0.1; `nsenter --net=$LINK_FAR PROGRAM` runs a program at the far end, 127.7.0.2. They are
// loopback addresses because a server takes plain text on those alone; `lo` has 127.0.0.1 and no more, so they lead
// over the link. The namespaces have no names: they end with this process and COMMAND. At the end a line of JSON on
// stderr says what was carried. Needs root.
#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PACKET_BYTES_MAX = 1500,
    // The shortest sleep while packets come: one wake-up carries all that came meanwhile.
    NAP_US = 200,
    DEVICE_QUEUE_PACKETS = 10000,
};

typedef struct {
    uint64_t due_us;
    uint16_t length;
    uint8_t bytes[PACKET_BYTES_MAX];
} packet;

// One direction.
typedef struct {
    int from, to;
    uint64_t random;
    packet *ring;
    uint64_t first, next;  // of the packets under way
    uint64_t carried, lost, overflowed, bytes, late_us_max;
} way;

static struct {
    uint64_t delay_us;
    double loss;
    uint64_t queue;
    uint64_t seed;
} options = {.queue = 32768, .seed = 1};

static volatile sig_atomic_t signalled;

uint64_t now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("link: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

// MARK: - Ends

static void write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    if (file < 0 || write(file, text, strlen(text)) < 0) { die("%s: %s", path, strerror(errno)); }
    close(file);
}

__attribute__((format(printf, 1, 2))) static void run_ip(const char *format, ...) {
    char command[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0) { die("failed: %s", command); }
}

// A TUN device in a network namespace of its own, which the process enters. `space` gets its descriptor.
static int make_end(const char *own, const char *other, int *space) {
    if (unshare(CLONE_NEWNET) != 0) { die("a network namespace needs root: %s", strerror(errno)); }
    *space = open("/proc/self/ns/net", O_RDONLY);
    int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (device < 0) { die("/dev/net/tun: %s", strerror(errno)); }
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    strcpy(request.ifr_name, "link");
    if (ioctl(device, TUNSETIFF, &request) != 0) { die("a TUN device needs root: %s", strerror(errno)); }
    // Up, because Foundation wakes itself over 127.0.0.1; but with that one address in place of 127.0.0.0/8.
    run_ip("ip link set dev lo up");
    run_ip("ip address delete 127.0.0.1/8 dev lo");
    run_ip("ip address add 127.0.0.1/32 dev lo");
    write_file("/proc/sys/net/ipv4/conf/link/route_localnet", "1");
    run_ip("ip address add %s peer %s dev link", own, other);
    run_ip("ip link set dev link up mtu %d txqueuelen %d", PACKET_BYTES_MAX, DEVICE_QUEUE_PACKETS);
    return device;
}

// MARK: - Carrying

// splitmix64.
static double share(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) / (double)(1ull << 53);
}

static bool take_in(way *w) {
    bool any = false;
    for (;;) {
        uint8_t spare[PACKET_BYTES_MAX];
        bool is_full = w->next - w->first == options.queue;
        packet *p = &w->ring[w->next % options.queue];
        ssize_t length = read(w->from, is_full ? spare : p->bytes, PACKET_BYTES_MAX);
        if (length <= 0) { return any; }
        any = true;
        if (share(&w->random) < options.loss) {
            w->lost++;
        } else if (is_full) {
            w->overflowed++;
        } else {
            p->due_us = now_us() + options.delay_us;
            p->length = (uint16_t)length;
            w->next++;
        }
    }
}

static void let_out(way *w) {
    for (uint64_t now = now_us(); w->first < w->next; w->first++) {
        packet *p = &w->ring[w->first % options.queue];
        if (p->due_us > now) { return; }
        // An end that does not take it has lost it, as an interface would.
        if (write(w->to, p->bytes, p->length) < 0) {
            w->overflowed++;
            continue;
        }
        w->carried++;
        w->bytes += p->length;
        if (now - p->due_us > w->late_us_max) { w->late_us_max = now - p->due_us; }
    }
}

static uint64_t first_due(const way *w) {
    return w->first < w->next ? w->ring[w->first % options.queue].due_us : UINT64_MAX;
}

// Whoever COMMAND has left behind: they are this process's children now.
static void end_orphans(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (;;) {
        FILE *list = fopen(path, "r");
        int orphan, count = 0;
        while (list != NULL && fscanf(list, "%d", &orphan) == 1) {
            kill(orphan, SIGKILL);
            waitpid(orphan, NULL, 0);
            count++;
        }
        if (list != NULL) { fclose(list); }
        if (count == 0) { return; }
    }
}

static void nap(uint64_t microseconds) {
    struct timespec time = {
        .tv_sec = (time_t)(microseconds / 1000000),
        .tv_nsec = (long)(microseconds % 1000000) * 1000,
    };
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

// Until `child` has ended.
// - Returns: its status.
static int carry(way ways[2], pid_t child) {
    bool is_ending = false;
    for (;;) {
        bool any = take_in(&ways[0]) | take_in(&ways[1]);
        let_out(&ways[0]);
        let_out(&ways[1]);
        int status;
        if (signalled != 0) {
            // The second time it is meant.
            kill(child, is_ending ? SIGKILL : signalled);
            is_ending = true;
            signalled = 0;
        }
        if (waitpid(child, &status, WNOHANG) == child) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (any) {
            nap(NAP_US);
            continue;
        }
        uint64_t due = first_due(&ways[0]) < first_due(&ways[1]) ? first_due(&ways[0]) : first_due(&ways[1]);
        uint64_t now = now_us();
        // 50 ms: an end of the child is looked for so often.
        uint64_t wait = due <= now ? 0 : due - now < 50000 ? due - now : 50000;
        struct timespec limit = {.tv_nsec = (long)wait * 1000};
        struct pollfd ends[] = {{.fd = ways[0].from, .events = POLLIN}, {.fd = ways[1].from, .events = POLLIN}};
        ppoll(ends, 2, &limit, NULL);
    }
}

static void tell(const char *name, const way *w) {
    fprintf(stderr, "\"%s\": {\"packets\": %lu, \"bytes\": %lu, \"lost\": %lu, ", name, w->carried, w->bytes, w->lost);
    fprintf(stderr, "\"overflowed\": %lu, \"late_us_max\": %lu}", w->overflowed, w->late_us_max);
}

// MARK: - Starting

static void note_signal(int number) { signalled = number; }

static void usage(void) {
    die("link [--delay MS] [--loss SHARE] [--queue PACKETS] [--seed N] COMMAND... | --check\n"
        "Delay and loss (0 to 1) of each direction.");
}

static double number(const char *text, double least, double most) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most)) { usage(); }
    return value;
}

// - Returns: whether the link is to check itself.
static bool read_options(int count, char **words) {
    static const struct option known[] = {
        {"delay", 1, 0, 'd'}, {"loss", 1, 0, 'l'},  {"queue", 1, 0, 'q'},
        {"seed", 1, 0, 's'},  {"check", 0, 0, 'c'}, {0},
    };
    bool checks = false;
    for (int option; (option = getopt_long(count, words, "+", known, NULL)) != -1;) {
        switch (option) {
        case 'd': options.delay_us = (uint64_t)(number(optarg, 0, 10000) * 1000); break;
        case 'l': options.loss = number(optarg, 0, 1); break;
        case 'q': options.queue = (uint64_t)number(optarg, 1, 1000000); break;
        case 's': options.seed = (uint64_t)number(optarg, 0, 1e15); break;
        case 'c': checks = true; break;
        default: usage();
        }
    }
    if (checks == (optind < count)) { usage(); }
    return checks;
}

int main(int count, char **words) {
    bool checks = read_options(count, words);
    int far_space, near_space;
    int far = make_end(FAR, NEAR, &far_space);
    int near = make_end(NEAR, FAR, &near_space);
    way ways[] = {
        {.from = near, .to = far, .random = options.seed},
        {.from = far, .to = near, .random = ~options.seed},
    };
    for (int i = 0; i < 2; i++) {
        ways[i].ring = calloc(options.queue, sizeof *ways[i].ring);
        if (ways[i].ring == NULL) { die("no memory for a queue of %lu packets", options.queue); }
    }
    struct sigaction action = {.sa_handler = note_signal};
    for (const int *n = (int[]){SIGINT, SIGTERM, SIGHUP, 0}; *n != 0; n++) { sigaction(*n, &action, NULL); }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), far_space);
    setenv("LINK_FAR", path, 1);
    pid_t parent = getpid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t child = fork();
    if (child < 0) { die("fork: %s", strerror(errno)); }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) { _exit(1); }
        if (checks) { _exit(check_link(far_space, near_space, (double)options.delay_us, options.loss)); }
        execvp(words[optind], words + optind);
        die("%s: %s", words[optind], strerror(errno));
    }
    // Ahead of both ends, whose load must not become the link's delay. On the last processor, where a bench has its
    // crowd: the server's stays the server's.
    struct sched_param priority = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &priority);
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &last);
    sched_setaffinity(0, sizeof last, &last);
    int status = carry(ways, child);
    end_orphans();
    fprintf(stderr, "{\"delay_ms\": %g, \"loss\": %g, ", (double)options.delay_us / 1000, options.loss);
    tell("to_far", &ways[0]);
    fputs(", ", stderr);
    tell("to_near", &ways[1]);
    fputs("}\n", stderr);
    return status;
}
