// meter.c: how much of a peer's input a loop reads, frames of which the caller never hears included (SES-12).
//
// libwebsockets answers pings, drops empty pongs and takes fragments apart without a word to us, so input is measured
// where it arrives: the kernel counts each connection's bytes and segments (TCP_INFO). Each question is a system call,
// too dear for every message. A loop asks about a portion of its connections every CWS_LOOK_MS. The newest connections
// are always among them, because a peer may stay for a moment only. A turn that handed nothing out asks about the
// newest as well, but not more often than every CWS_NEWEST_LOOK_MS: each part of a long message is such a turn.
//
// A connection that was read at more than `input_bytes_per_second` is metered from then on. At the end of each turn it
// pays for what the turn read of it, and while it owes it is not read: TCP tells its peer to wait. That costs a peer
// nothing but time, so the burst of a meter is small. A connection that has not owed for CWS_METER_MS loses its meter.
#include "private.h"

#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// What the kernel has received of a connection. Its tcp_info is longer than that of the C library's header.
typedef struct {
    uint64_t bytes;
    uint32_t segments;
} received;

static bool ask(const cws_connection *c, received *answer) {
    struct {
        struct tcp_info known;
        uint64_t more[16];
    } info;
    // Offsets of tcpi_bytes_received and tcpi_data_segs_in in linux/tcp.h, which never change (Linux 4.6 has both).
    enum { BYTES_AT = 128, SEGMENTS_AT = 152, END = 156 };
    socklen_t size = sizeof info;
    if (getsockopt(lws_get_socket_fd(c->wsi), IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < END) { return false; }
    memcpy(&answer->bytes, (const uint8_t *)&info + BYTES_AT, sizeof answer->bytes);
    memcpy(&answer->segments, (const uint8_t *)&info + SEGMENTS_AT, sizeof answer->segments);
    return true;
}

static bool can_be_metered(const cws_connection *c) {
    return (c->state == CWS_OPEN || c->state == CWS_CLOSING) && c->opened && !c->client && !c->echo && c->wsi != NULL;
}

// MARK: - Metered connections

static void set_throttled(cws_connection *c, bool throttled) {
    if (c->throttled == throttled) { return; }
    c->throttled = throttled;
    // While the caller has stopped reading, it stays stopped.
    if (!c->paused && c->wsi != NULL) { lws_rx_flow_control(c->wsi, throttled ? 0 : 1); }
}

static void take_off(cws_loop *loop, uint32_t index) {
    loop->meters[index].connection->metered = false;
    loop->meters[index] = loop->meters[--loop->meter_count];
}

// The connection is gone.
void cws_meter_drop(cws_connection *c) {
    cws_loop *loop = c->loop;
    for (uint32_t i = 0; c->metered && i < loop->meter_count; i++) {
        if (loop->meters[i].connection == c) { take_off(loop, i); }
    }
}

// When all meters are in use the one with the most to spend makes room.
static void put_on(cws_connection *c, uint64_t read_bytes, uint64_t now) {
    cws_loop *loop = c->loop;
    if (loop->meter_count == CWS_METERS_MAX) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < CWS_METERS_MAX; i++) {
            if (loop->meters[i].credit > loop->meters[best].credit) { best = i; }
        }
        if (loop->meters[best].connection->throttled) { return; }  // all have to wait
        take_off(loop, best);
    }
    c->metered = true;
    cws_meter *meter = &loop->meters[loop->meter_count++];
    *meter = (cws_meter){.connection = c, .read_bytes = read_bytes, .paid_ms = now, .owed_ms = now};
}

// Charges what was read since the last payment, and credits the time since then.
static void settle(cws_loop *loop, cws_meter *meter, uint64_t now) {
    cws_connection *c = meter->connection;
    int64_t rate = loop->options.input_bytes_per_second;
    int64_t credit_max = rate / 4;
    meter->credit += rate * (int64_t)(now - meter->paid_ms) / 1000;
    meter->paid_ms = now;
    if (meter->credit > credit_max) { meter->credit = credit_max; }
    received got;
    int unread = 0;
    if (!c->throttled && ask(c, &got) && ioctl(lws_get_socket_fd(c->wsi), FIONREAD, &unread) == 0) {
        uint64_t read_bytes = got.bytes - (uint64_t)unread;
        if (read_bytes != meter->read_bytes) {
            meter->credit -= (int64_t)(read_bytes - meter->read_bytes) + CWS_READ_COST_BYTES;
            meter->read_bytes = read_bytes;
        }
    }
    if (meter->credit < 0 && !c->throttled) {
        meter->owed_ms = now;
        cws_reject_count(loop, CWS_REJECT_INPUT);
        set_throttled(c, true);
    } else if (c->throttled && meter->credit >= credit_max / 2) {
        meter->owed_ms = now;
        set_throttled(c, false);
    }
}

static void settle_all(cws_loop *loop, uint64_t now) {
    bool waits = false;
    for (uint32_t i = loop->meter_count; i-- > 0;) {
        cws_meter *meter = &loop->meters[i];
        cws_connection *c = meter->connection;
        if (!can_be_metered(c) || (!c->throttled && now - meter->owed_ms > CWS_METER_MS)) {
            take_off(loop, i);
            continue;
        }
        settle(loop, meter, now);
        waits |= c->throttled;
    }
    // A throttled connection is not read, so its input cannot wake the loop: the timer does.
    if (waits && !uv_is_active((uv_handle_t *)&loop->meter_timer)) {
        uv_timer_start(&loop->meter_timer, cws_meter_waited, CWS_LOOK_MS, 0);
    }
}

void cws_meter_waited(uv_timer_t *timer) {
    cws_loop *loop = timer->data;
    settle_all(loop, cws_now_ms(loop));
}

// MARK: - Looking for connections to meter

static void look(cws_connection *c, uint64_t now) {
    received got;
    if (c->metered || !can_be_metered(c) || !ask(c, &got)) { return; }
    // Wraps round: only the difference counts.
    uint32_t cost = (uint32_t)got.bytes + CWS_READ_COST_BYTES * got.segments;
    uint32_t spent = cost - c->looked_cost;
    uint32_t passed = (uint32_t)now - c->looked_ms;
    uint64_t rate = c->loop->options.input_bytes_per_second;
    if (spent > rate * passed / 1000 + CWS_LOOK_SLACK_BYTES) {
        put_on(c, got.bytes, now);
    } else if (passed < CWS_LOOK_WINDOW_MS) {
        return;  // a window that is too short would forgive what it has seen
    }
    c->looked_cost = cost;
    c->looked_ms = (uint32_t)now;
}

void cws_meter_opened(cws_connection *c) {
    cws_loop *loop = c->loop;
    if (loop->options.input_bytes_per_second == 0 || c->client || c->echo) { return; }
    c->looked_ms = (uint32_t)cws_now_ms(loop);
    uint32_t place = loop->newest_next++ % CWS_NEWEST_MAX;
    loop->newest[place] = cws_connection_id(c);
    loop->newest_ms[place] = cws_now_ms(loop);
}

static void look_at_newest(cws_loop *loop, uint64_t now) {
    if (now - loop->newest_looked_ms < CWS_NEWEST_LOOK_MS) { return; }
    loop->newest_looked_ms = now;
    for (uint32_t i = 0; i < CWS_NEWEST_MAX; i++) {
        if (loop->newest[i] == 0) { continue; }
        cws_connection *c = cws_connection_find(loop, loop->newest[i]);
        if (c == NULL || now - loop->newest_ms[i] > CWS_NEWEST_MS) {
            loop->newest[i] = 0;
        } else {
            look(c, now);
        }
    }
}

static void look_at_portion(cws_loop *loop, uint64_t now) {
    uint32_t slots = loop->chunk_count * CWS_CHUNK;
    uint32_t portion = slots / CWS_LOOKS_PER_ROUND;
    if (portion < CWS_NEWEST_MAX) { portion = CWS_NEWEST_MAX; }
    for (uint32_t i = 0; i < portion && slots > 0; i++) {
        uint32_t slot = loop->look_slot++ % slots;
        look(&loop->chunks[slot / CWS_CHUNK][slot % CWS_CHUNK], now);
    }
}

// After every wait of the loop. `quiet`: nothing was handed out, so it may have been woken for nothing.
void cws_meter_turn(cws_loop *loop, bool quiet) {
    if (loop->options.input_bytes_per_second == 0) { return; }
    uint64_t now = cws_now_ms(loop);
    if (loop->meter_count > 0) { settle_all(loop, now); }
    if (quiet) { look_at_newest(loop, now); }
    if (now - loop->looked_ms < CWS_LOOK_MS) { return; }
    loop->looked_ms = now;
    if (!quiet) { look_at_newest(loop, now); }
    look_at_portion(loop, now);
}

void cws_set_input_rate(cws_loop *loop, uint32_t bytes_per_second) {
    loop->options.input_bytes_per_second = bytes_per_second;
    while (bytes_per_second == 0 && loop->meter_count > 0) {
        set_throttled(loop->meters[0].connection, false);
        take_off(loop, 0);
    }
}
