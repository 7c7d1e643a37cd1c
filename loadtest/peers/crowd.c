// The pose workload of `cairn-crowd bench` for servers that are not Cairn: people in groups ("cells"), each of whom
// publishes a 32-byte update to their group at a steady rate and gets everybody else's. One thread, one epoll.
//
//   crowd PROTOCOL PEOPLE CELLS HZ PORT SERVER_PID WARM_UP_SECONDS SECONDS
//
// PROTOCOL: mqtt-ws, nats-ws, nats or redis. Prints one line of JSON. Latency runs from the time at which an update was
// due to its receipt, so a generator or server that stalls is not let off (coordinated omission).

#define _GNU_SOURCE
#include "crowd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct payload {
    uint64_t due;
    uint32_t sender;
    uint32_t number;
    uint8_t rest[16];
};
_Static_assert(sizeof(struct payload) == PAYLOAD_BYTES, "an update has 32 bytes");

static struct {
    const struct protocol *protocol;
    struct person *people;
    int count, cells, epoll, ready;
    uint64_t window_start, window_end;
    uint64_t received, delivered, bytes, sent_in_window, frames;
    // Of those delivered, the ones that had come by the window's end.
    uint64_t in_time;
    uint64_t histogram[64 * 64];
} crowd;

static uint64_t now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

void die(const char *what) {
    fprintf(stderr, "crowd: %s: %s\n", what, errno ? strerror(errno) : "the server broke the protocol");
    exit(1);
}

// 64 steps for each doubling: 1.6 % of error at most.
static int bucket(uint64_t value) {
    if (value < 64) return (int)value;
    int shift = 63 - __builtin_clzll(value) - 6;
    return (shift + 1) * 64 + (int)((value >> shift) & 63);
}

static double bucket_ms(int index) {
    if (index < 64) return index / 1000.0;
    return (double)((uint64_t)(64 + index % 64) << (index / 64 - 1)) / 1000.0;
}

static double percentile_ms(double percentile) {
    uint64_t wanted = (uint64_t)(percentile / 100 * (double)crowd.delivered), seen = 0;
    for (int index = 0; index < 64 * 64; index++) {
        seen += crowd.histogram[index];
        if (seen > wanted || (seen == crowd.delivered && seen > 0)) return bucket_ms(index);
    }
    return 0;
}

void person_ready(struct person *person) {
    if (person->is_ready) return;
    person->is_ready = 1;
    crowd.ready++;
}

void person_got(struct person *person, const uint8_t *bytes) {
    struct payload payload;
    memcpy(&payload, bytes, sizeof payload);
    crowd.received++;
    if ((int)payload.sender == person->index) return;
    if (payload.due < crowd.window_start || payload.due >= crowd.window_end) return;
    uint64_t now = now_us();
    crowd.delivered++;
    if (now < crowd.window_end) crowd.in_time++;
    crowd.histogram[bucket(now - payload.due)]++;
}

static void watch(struct person *person, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.ptr = person};
    if (epoll_ctl(crowd.epoll, operation, person->fd, &event)) die("epoll_ctl");
}

static void flush(struct person *person) {
    while (person->unsent_count > 0) {
        ssize_t count = send(person->fd, person->unsent, person->unsent_count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0) {
            if (errno == EAGAIN) return;
            die("send");
        }
        person->unsent_count -= (size_t)count;
        memmove(person->unsent, person->unsent + count, person->unsent_count);
    }
    watch(person, EPOLLIN, EPOLL_CTL_MOD);
}

static void send_raw(struct person *person, const uint8_t *bytes, size_t count) {
    if (person->unsent_count == 0) {
        ssize_t sent = send(person->fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN) die("send");
        if (sent < 0) sent = 0;
        bytes += sent;
        count -= (size_t)sent;
        if (count == 0) return;
        watch(person, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
    }
    person->unsent = realloc(person->unsent, person->unsent_count + count);
    if (!person->unsent) die("memory");
    memcpy(person->unsent + person->unsent_count, bytes, count);
    person->unsent_count += count;
}

static void frame(struct person *person, uint8_t opcode, const uint8_t *bytes, size_t count) {
    uint8_t out[1024];
    size_t length = 0;
    if (count > sizeof out - 8) die("a message that is too long");
    out[length++] = 0x80 | opcode;
    if (count < 126) {
        out[length++] = 0x80 | (uint8_t)count;
    } else {
        out[length++] = 0x80 | 126;
        out[length++] = (uint8_t)(count >> 8);
        out[length++] = (uint8_t)count;
    }
    // Masked by zero: the server does the same work for it as for any other mask.
    memset(out + length, 0, 4);
    length += 4;
    memcpy(out + length, bytes, count);
    send_raw(person, out, length + count);
}

void person_send(struct person *person, const uint8_t *bytes, size_t count) {
    if (crowd.protocol->is_websocket) {
        frame(person, 2, bytes, count);
    } else {
        send_raw(person, bytes, count);
    }
}

// Takes bytes of the protocol itself, without WebSocket frames around them.
static void take(struct person *person, const uint8_t *bytes, size_t count) {
    if (person->kept_count == 0) {
        size_t taken = crowd.protocol->take(person, bytes, count);
        bytes += taken;
        count -= taken;
        if (count == 0) return;
    }
    person->kept = realloc(person->kept, person->kept_count + count);
    if (!person->kept) die("memory");
    memcpy(person->kept + person->kept_count, bytes, count);
    person->kept_count += count;
    size_t taken = crowd.protocol->take(person, person->kept, person->kept_count);
    person->kept_count -= taken;
    memmove(person->kept, person->kept + taken, person->kept_count);
}

// Takes whole frames; gives how far it got.
static size_t take_frames(struct person *person, const uint8_t *bytes, size_t count) {
    size_t offset = 0;
    if (!person->is_open) {
        const uint8_t *end = memmem(bytes, count, "\r\n\r\n", 4);
        if (!end) return 0;
        errno = 0;
        if (count < 12 || memcmp(bytes, "HTTP/1.1 101", 12)) die("WebSocket handshake");
        offset = (size_t)(end - bytes) + 4;
        person->is_open = 1;
        crowd.protocol->begin(person);
    }
    while (count - offset >= 2) {
        const uint8_t *head = bytes + offset;
        size_t length = head[1] & 0x7F, header = 2;
        if (length == 126) {
            if (count - offset < 4) break;
            length = (size_t)head[2] << 8 | head[3];
            header = 4;
        } else if (length == 127) {
            if (count - offset < 10) break;
            length = 0;
            for (int index = 2; index < 10; index++) length = length << 8 | head[index];
            header = 10;
        }
        if (count - offset < header + length) break;
        uint8_t opcode = head[0] & 0x0F;
        crowd.frames++;
        if (opcode == 9) {
            frame(person, 10, head + header, length);
        } else if (opcode == 8) {
            errno = 0;
            die("the server closed a connection");
        } else if (opcode != 10) {
            take(person, head + header, length);
        }
        offset += header + length;
    }
    return offset;
}

static void receive(struct person *person) {
    static uint8_t buffer[1 << 18];
    size_t kept = person->unread_count;
    if (kept) memcpy(buffer, person->unread, kept);
    ssize_t count = recv(person->fd, buffer + kept, sizeof buffer - kept, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count == 0) errno = 0;
    if (count <= 0) die("a connection was lost");
    crowd.bytes += (size_t)count;
    size_t all = kept + (size_t)count;
    if (!crowd.protocol->is_websocket) return take(person, buffer, all);
    size_t taken = take_frames(person, buffer, all);
    person->unread_count = all - taken;
    person->unread = realloc(person->unread, person->unread_count + 1);
    if (!person->unread) die("memory");
    memcpy(person->unread, buffer + taken, person->unread_count);
}

static void poll_once(int milliseconds) {
    struct epoll_event events[512];
    int count = epoll_wait(crowd.epoll, events, 512, milliseconds);
    for (int index = 0; index < count; index++) {
        struct person *person = events[index].data.ptr;
        if (events[index].events & EPOLLOUT) flush(person);
        if (events[index].events & ~(uint32_t)EPOLLOUT) receive(person);
    }
}

static void connect_person(struct person *person, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    person->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (person->fd < 0) die("socket");
    if (connect(person->fd, (struct sockaddr *)&address, sizeof address)) die("connect");
    int one = 1;
    setsockopt(person->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    watch(person, EPOLLIN, EPOLL_CTL_ADD);
    if (crowd.protocol->is_websocket) {
        char request[512];
        int length = snprintf(request, sizeof request,
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
            crowd.protocol->path, port, crowd.protocol->subprotocol);
        send_raw(person, (const uint8_t *)request, (size_t)length);
    } else {
        person->is_open = 1;
        crowd.protocol->begin(person);
    }
}

static double cpu_seconds(int pid) {
    char path[64], text[2048];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) die(path);
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = 0;
    unsigned long user = 0, system = 0;
    // Fields 14 and 15 of proc(5); the name before them may hold anything up to its closing bracket.
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) {
        die(path);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

int main(int count, char **words) {
    if (count != 9) {
        fprintf(stderr, "crowd PROTOCOL PEOPLE CELLS HZ PORT SERVER_PID WARM_UP_SECONDS SECONDS\n");
        return 2;
    }
    crowd.protocol = protocol_named(words[1]);
    crowd.count = atoi(words[2]);
    crowd.cells = atoi(words[3]);
    double rate = atof(words[4]);
    int port = atoi(words[5]), pid = atoi(words[6]);
    double warm_up = atof(words[7]), seconds = atof(words[8]);
    if (!crowd.protocol || crowd.count < 1 || crowd.cells < 1 || rate <= 0 || seconds <= 0 || seconds > 300) {
        fprintf(stderr, "crowd: a word that is not understood\n");
        return 2;
    }
    crowd.epoll = epoll_create1(0);
    crowd.people = calloc((size_t)crowd.count, sizeof *crowd.people);
    if (crowd.epoll < 0 || !crowd.people) die("begin");
    uint64_t began = now_us();
    for (int index = 0; index < crowd.count; index++) {
        struct person *person = crowd.people + index;
        person->index = index;
        snprintf(person->topic, sizeof person->topic, "cell.%d", index % crowd.cells);
        connect_person(person, port);
        // A few at a time, so that no server's backlog overflows.
        while (crowd.ready < index - 64 && now_us() - began < 60000000u) poll_once(10);
    }
    while (crowd.ready < crowd.count) {
        poll_once(10);
        errno = 0;
        if (now_us() - began > 60000000u) die("not everybody got ready within a minute");
    }
    double ready_seconds = (double)(now_us() - began) / 1e6;

    // Everybody's turn comes at even distances: a crowd's load is what is measured, not its luck.
    double step = 1e6 / rate / crowd.count;
    uint64_t start = now_us() + 200000u;
    crowd.window_start = start + (uint64_t)(warm_up * 1e6);
    crowd.window_end = crowd.window_start + (uint64_t)(seconds * 1e6);
    double server_before = 0, own_before = 0, server_seconds = 0, own_seconds = 0;
    uint64_t bytes_before = 0, received_before = 0, bytes = 0, received = 0, turn = 0, late_worst = 0;
    int is_measuring = 0;
    for (;;) {
        uint64_t now = now_us();
        if (!is_measuring && now >= crowd.window_start) {
            is_measuring = 1;
            server_before = cpu_seconds(pid);
            own_before = cpu_seconds(getpid());
            bytes_before = crowd.bytes;
            received_before = crowd.received;
        }
        if (now >= crowd.window_end) break;
        uint64_t due = start + (uint64_t)((double)turn * step);
        for (; due <= now && due < crowd.window_end; turn++, due = start + (uint64_t)((double)turn * step)) {
            struct person *person = crowd.people + turn % (uint64_t)crowd.count;
            struct payload payload = {.due = due, .sender = (uint32_t)person->index};
            payload.number = person->number++;
            crowd.protocol->publish(person, (const uint8_t *)&payload);
            if (due < crowd.window_start) continue;
            crowd.sent_in_window += (uint64_t)((crowd.count - 1 - person->index % crowd.cells) / crowd.cells);
            if (now - due > late_worst) late_worst = now - due;
        }
        now = now_us();
        poll_once(due > now ? (int)((due - now) / 1000) : 0);
    }
    server_seconds = cpu_seconds(pid) - server_before;
    own_seconds = cpu_seconds(getpid()) - own_before;
    bytes = crowd.bytes - bytes_before;
    received = crowd.received - received_before;
    // What is still on its way counts as delivered, but late: a server that cannot keep up must not be given time to.
    for (uint64_t end = now_us() + 2000000u; now_us() < end && crowd.delivered < crowd.sent_in_window;) poll_once(50);

    uint64_t lost = crowd.sent_in_window > crowd.delivered ? crowd.sent_in_window - crowd.delivered : 0;
    printf("{\"protocol\":\"%s\",\"poses_delivered\":%lu,\"poses_in_time\":%lu,\"poses_lost\":%lu,"
        "\"server_cpu_us_per_pose\":%.4f,"
        "\"server_cores\":%.3f,\"generator_cores\":%.3f,\"bytes_per_pose\":%.1f,\"ready_seconds\":%.2f,"
        "\"generator_worst_delay_ms\":%.1f,\"latency_ms\":{\"p50\":%.2f,\"p99\":%.2f,\"p999\":%.2f}}\n",
        crowd.protocol->name, crowd.delivered, crowd.in_time, lost,
        crowd.in_time ? server_seconds * 1e6 / (double)crowd.in_time : 0, server_seconds / seconds,
        own_seconds / seconds, received ? (double)bytes / (double)received : 0, ready_seconds,
        (double)late_worst / 1000, percentile_ms(50), percentile_ms(99), percentile_ms(99.9));
    return 0;
}
