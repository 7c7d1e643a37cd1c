// closing.c: every way in which a connection ends.
//
//   who ends it             how                                                           on_closed says
//   the peer, by CLOSE      cws_peer_close answers in one write, libwebsockets closes     its code
//   the peer, by TCP        libwebsockets notices                                         1006
//   the caller, cws_close   our CLOSE at once, then CWS_CLOSE_MS for the peer's           its code, or 1006
//   the caller, cws_abort   TCP reset at the end of the turn                              1006
//   we, for a broken limit  cws_fail: CLOSE with 1007, 1008 or 1009, then linger          1006
//   libwebsockets           broken frame: it sends CLOSE, cws_writable cuts it off        1006
//
// We write CLOSE frames ourselves, because libwebsockets' own closing handshake (return -1 after lws_close_reason)
// needs two trips through epoll, forgets the CLOSE when bytes are left behind, and then reads and discards at full
// speed for five seconds (L12).
//
// Nothing is closed inside a call of the caller's: a connection to be ended is "doomed" and killed at the end of the
// turn, where no callback of libwebsockets is on the stack.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: - Ending a WebSocket

// From here on nothing is sent or handed out; within CWS_CLOSE_MS the connection is gone.
static void begin_end(cws_connection *c) {
    c->state = CWS_CLOSING;
    c->ended_by_us = true;
    cws_deadline(c, CWS_CLOSE_MS);
}

// Sends a CLOSE, now or when libwebsockets' rest is through. False when the connection is broken.
static bool send_close(cws_connection *c, uint16_t code, const char *reason) {
    uint8_t frame[CWS_HEADROOM + 125];
    uint8_t *payload = frame + CWS_HEADROOM;
    size_t length = reason == NULL ? 0 : strlen(reason);
    if (length > 123) {
        length = 123;  // RFC 6455, 5.5
        while (length > 0 && ((uint8_t)reason[length] & 0xc0) == 0x80) { length--; }  // not inside a character
    }
    payload[0] = (uint8_t)(code >> 8);
    payload[1] = (uint8_t)code;
    if (length > 0) { memcpy(payload + 2, reason, length); }
    return cws_write_or_hold(c, payload, 2 + length, CWS_WRITE_CLOSE);
}

void cws_close(cws_loop *loop, cws_id id, uint16_t code, const char *reason) {
    cws_connection *c = cws_connection_find(loop, id);
    if (c == NULL || c->state != CWS_OPEN) { return; }
    begin_end(c);
    cws_set_paused(c, false);  // a paused connection must be read, or the peer's CLOSE is never seen
    if (!send_close(c, code, reason)) { cws_doom(c, true); }
}

void cws_abort(cws_loop *loop, cws_id id) {
    cws_connection *c = cws_connection_find(loop, id);
    if (c == NULL) { return; }
    cws_doom(c, true);
}

// What stands behind the code in the CLOSE. Clients know the names; test_closures.py holds them to docs/protocol.md.
static const char *name_of_breach(uint16_t code) {
    switch (code) {
        case 1007: return "not_utf8";
        case 1008: return "policy_violation";
        case 1009: return "too_large";
        default: return NULL;
    }
}

// A rule is broken: CLOSE with a code, count it, drop. Returns what the calling callback must return.
int cws_fail(cws_connection *c, uint16_t code, cws_reject reason) {
    cws_reject_count(c->loop, reason);
    if (c->state == CWS_OPEN && c->opened && !c->echo) { CWS_CALL(c->loop, on_breach, cws_connection_id(c), reason); }
    begin_end(c);
    free(c->message);
    c->message = NULL;
    // With bytes left behind a CLOSE could not reach the peer, which does not read.
    bool said = c->held == NULL && !lws_partial_buffered(c->wsi) && send_close(c, code, name_of_breach(code))
                && !lws_partial_buffered(c->wsi);
    if (said) {
        cws_linger_prepare(c, c->wsi);
    } else {
        cws_doom(c, true);
        return 0;
    }
    return -1;
}

static bool may_be_sent(unsigned code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1011) || (code >= 3000 && code <= 4999);
}

// The peer's CLOSE. libwebsockets has checked the reason's UTF-8, and has replaced forbidden codes by 1002, but also
// 1012, 1013 and 1014, which are registered by now (L27): these too arrive here as 1002.
int cws_peer_close(cws_connection *c, const uint8_t *payload, size_t length) {
    bool answer_is_due = c->state == CWS_OPEN;
    c->close_code = length >= 2 ? (uint16_t)(payload[0] << 8 | payload[1]) : 1005;
    uint16_t answer = c->close_code;
    if (length == 1 || (length >= 2 && !may_be_sent(answer))) {
        answer = 1002;  // L11: libwebsockets would send one byte back
        c->close_code = 1006;
        cws_reject_count(c->loop, CWS_REJECT_FRAME);
    } else if (length > 2 && cws_utf8_is_cut_off(payload + 2, length - 2)) {
        answer = 1007;
        c->close_code = 1006;
        cws_reject_count(c->loop, CWS_REJECT_FRAME);
    }
    begin_end(c);
    if (!answer_is_due) { return -1; }  // it answers ours
    if (length == 0) {
        uint8_t empty[CWS_HEADROOM];
        cws_write_or_hold(c, empty + CWS_HEADROOM, 0, CWS_WRITE_CLOSE);
    } else {
        send_close(c, answer, NULL);
    }
    return -1;
}

// MARK: - When libwebsockets ends it

static bool peer_is_still_there(cws_connection *c, struct lws *wsi) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (c->tls) { return false; }  // an open socket says nothing about the stream on it
    return getsockopt(lws_get_socket_fd(wsi), IPPROTO_TCP, TCP_INFO, &info, &size) == 0
           && info.tcpi_state == TCP_ESTABLISHED;
}

// libwebsockets drops the protocol: the first sign of an end that it has decided on. It has prepared a close reason
// for most broken frames; for a control frame of 126 bytes or more, a length with its top bit set, and a close
// reason that is not UTF-8 it just drops TCP (L28), and the peer is still there.
void cws_library_closing(cws_connection *c, struct lws *wsi) {
    if (c->state != CWS_OPEN && c->state != CWS_CLOSING) { return; }
    if (c->ended_by_us || c->loop->torn_down) { return; }
    bool close_is_prepared = lws_get_close_length(wsi) > 0;
    // While bytes are left behind libwebsockets also drops a peer that merely sends CLOSE: no fault, not counted.
    bool just_dropped = !lws_partial_buffered(wsi) && peer_is_still_there(c, wsi);
    if (close_is_prepared || just_dropped) { cws_reject_count(c->loop, CWS_REJECT_FRAME); }
    begin_end(c);
    c->library_closing = close_is_prepared;
}

// The WebSocket is gone, its descriptor not yet.
void cws_closed(cws_connection *c) {
    if (c->state == CWS_DEAD || c->state == CWS_LINGERING || c->state == CWS_FREE) { return; }
    bool opened = c->opened;
    cws_id id = cws_connection_id(c);
    c->state = CWS_DEAD;
    cws_deadline_clear(c);
    cws_messages_drop(c);
    if (opened) {
        c->opened = false;
        CWS_CALL(c->loop, on_closed, id, c->close_code);
    }
}

// MARK: - Killing

void cws_doom(cws_connection *c, bool abrupt) {
    if (abrupt) { c->abrupt = true; }
    if (c->doomed) { return; }
    if (c->state == CWS_OPEN) { begin_end(c); }
    c->ended_by_us = true;
    c->doomed = true;
    c->next = c->loop->doomed;
    c->loop->doomed = c;
}

// At the end of a turn. A failed write, a deadline, cws_abort, cws_fail outside a callback.
void cws_kill(cws_connection *c) {
    if (c->wsi == NULL || c->state == CWS_DEAD) { return; }
    cws_body_end(c, false);  // libwebsockets closes only what it reads
    int fd = lws_get_socket_fd(c->wsi);
    if (c->abrupt && fd >= 0) {
        // Close by reset: what waits in the kernel for a peer that does not read is freed at once.
        struct linger reset = {.l_onoff = 1, .l_linger = 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        if (lws_partial_buffered(c->wsi)) {
            // libwebsockets would flush its rest for up to 5 s first. Let that fail.
            shutdown(fd, SHUT_RDWR);
            cws_set_paused(c, false);
        }
    }
    lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

// MARK: - Lingering
//
// A TCP connection closed with unread input is reset, and a reset can overtake the CLOSE or the HTTP answer that we
// sent last. So we keep a duplicate of the descriptor past libwebsockets' close, say that we are done (FIN), and
// discard input for a moment: bounded in time, bytes and number.

void cws_linger_prepare(cws_connection *c, struct lws *wsi) {
    if (c->linger_fd >= 0 || c->loop->lingering >= CWS_LINGER_MAX || c->loop->torn_down) { return; }
    c->linger_fd = fcntl(lws_get_socket_fd(wsi), F_DUPFD_CLOEXEC, 0);
    if (c->linger_fd >= 0) { c->loop->lingering++; }
}

static void on_linger_closed(uv_handle_t *handle) { free(handle); }

void cws_linger_end(cws_connection *c) {
    if (c->linger_fd < 0) { return; }
    if (c->linger != NULL) {
        uv_poll_stop(c->linger);
        uv_close((uv_handle_t *)c->linger, on_linger_closed);
        c->linger = NULL;
    }
    close(c->linger_fd);
    c->linger_fd = -1;
    c->loop->lingering--;
    if (c->state == CWS_LINGERING) { cws_connection_release(c); }
}

static void on_linger_readable(uv_poll_t *poll, int status, int events) {
    (void)events;
    cws_connection *c = poll->data;
    // MSG_TRUNC on a TCP socket discards without copying.
    ssize_t got = status < 0 ? -1 : recv(c->linger_fd, c->loop->scratch, CWS_SCRATCH_BYTES, MSG_TRUNC | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) { return; }
    if (got > 0) { c->after_close_bytes += (uint32_t)got; }
    if (got <= 0 || c->after_close_bytes > CWS_CLOSE_BYTES_MAX) { cws_linger_end(c); }
}

void cws_linger_begin(cws_connection *c) {
    cws_loop *loop = c->loop;
    c->state = CWS_LINGERING;
    c->linger = loop->torn_down ? NULL : malloc(sizeof *c->linger);
    if (c->linger == NULL || uv_poll_init(&loop->uv, c->linger, c->linger_fd) != 0) {
        free(c->linger);
        c->linger = NULL;
        cws_linger_end(c);
        return;
    }
    c->linger->data = c;
    c->after_close_bytes = 0;
    shutdown(c->linger_fd, SHUT_WR);
    uv_poll_start(c->linger, UV_READABLE, on_linger_readable);
    cws_deadline(c, CWS_LINGER_MS);
}
