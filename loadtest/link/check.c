// The self-check of the link: datagrams both ways, each with its time of sending.
#define _GNU_SOURCE
#include "link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PORT = 7007,
    DATAGRAMS = 20000,
    PAUSE_US = 100,
    // A datagram may come so much later than the delay: the link's nap, and the receiver's own.
    SLACK_US = 1500,
    LAST_WAIT_US = 500000,
};

// One end of the check.
typedef struct {
    int socket;
    int received, reordered;
    uint64_t last_sent;
    uint32_t took_us[DATAGRAMS];
} end;

static int open_end(int space, const char *own, const char *other) {
    if (setns(space, 0) != 0) { die("setns: %s", strerror(errno)); }
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, own, &address.sin_addr);
    if (bind(s, (struct sockaddr *)&address, sizeof address) != 0) { die("bind: %s", strerror(errno)); }
    inet_pton(AF_INET, other, &address.sin_addr);
    if (connect(s, (struct sockaddr *)&address, sizeof address) != 0) { die("connect: %s", strerror(errno)); }
    return s;
}

static void receive(end *e) {
    uint64_t sent;
    while (e->received < DATAGRAMS && recv(e->socket, &sent, sizeof sent, 0) == sizeof sent) {
        e->reordered += sent < e->last_sent;
        e->last_sent = sent;
        e->took_us[e->received++] = (uint32_t)(now_us() - sent);
    }
}

static int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool judge(const char *name, end *e, double delay_us, double loss) {
    qsort(e->took_us, (size_t)e->received, sizeof *e->took_us, by_size);
    double lost = 1 - (double)e->received / DATAGRAMS;
    double least = e->received > 0 ? e->took_us[0] : 0;
    double median = e->received > 0 ? e->took_us[e->received / 2] : 0;
    // Four standard deviations.
    double deviation = 4 * sqrt(loss * (1 - loss) / DATAGRAMS);
    bool is_good = e->received > 0 && e->reordered == 0 && fabs(lost - loss) <= deviation && least >= delay_us
        && median <= delay_us + SLACK_US;
    printf("{\"way\": \"%s\", \"sent\": %d, \"lost\": %.4f, ", name, DATAGRAMS, lost);
    printf("\"least_ms\": %.2f, \"median_ms\": %.2f, ", least / 1000, median / 1000);
    printf("\"reordered\": %d, \"good\": %s}\n", e->reordered, is_good ? "true" : "false");
    return is_good;
}

int check_link(int far_space, int near_space, double delay_us, double loss) {
    static end far, near;
    far.socket = open_end(far_space, FAR, NEAR);
    near.socket = open_end(near_space, NEAR, FAR);
    for (int i = 0; i < DATAGRAMS; i++) {
        uint64_t now = now_us();
        send(far.socket, &now, sizeof now, 0);
        send(near.socket, &now, sizeof now, 0);
        receive(&far);
        receive(&near);
        usleep(PAUSE_US);
    }
    for (uint64_t end_us = now_us() + (uint64_t)delay_us + LAST_WAIT_US; now_us() < end_us; usleep(PAUSE_US)) {
        receive(&far);
        receive(&near);
    }
    bool is_far_good = judge("to_far", &far, delay_us, loss);
    bool is_near_good = judge("to_near", &near, delay_us, loss);
    fflush(stdout);
    return is_far_good && is_near_good ? 0 : 1;
}
