// messages.c: sending, receiving, putting fragments together. The hot path.
//
// Sending. cws_send writes at once, from wherever it is called on the loop's thread: lws_write puts the frame header
// into the caller's headroom and calls send(). An uncongested message costs that one system call: no epoll_ctl, no
// trip through the loop. Only when the socket takes less does libwebsockets keep the rest (L16) and ask for POLLOUT.
//
// L22: lws_write must never be called while such a rest exists. It appends the new frame to the rest, but then
// believes itself "inside a frame" and sends the frame after that without a header: the stream is corrupt. The rest
// may also be a PONG of libwebsockets' own, of which our caller knows nothing. So every write goes through
// cws_write_or_hold.
//
// Receiving. libwebsockets hands out at most receive_buffer_bytes at a time, in place. A message that arrives in one
// piece is passed on without a copy; else the pieces are collected in a buffer that lives as long as the message.
#include "private.h"

#include <stdlib.h>
#include <string.h>

// MARK: - Sending

// False when the connection is broken.
static bool write_now(cws_connection *c, uint8_t *payload, size_t length, enum lws_write_protocol kind) {
    return lws_write(c->wsi, payload, length, kind) >= (int)length;
}

static bool hold(cws_connection *c, const uint8_t *payload, size_t length, enum lws_write_protocol kind) {
    cws_held *held = malloc(sizeof *held + LWS_PRE + length);
    if (held == NULL) { return false; }
    held->next = NULL;
    held->length = length;
    held->kind = kind;
    memcpy(held->bytes + LWS_PRE, payload, length);
    cws_held **end = &c->held;
    while (*end != NULL) { end = &(*end)->next; }
    *end = held;
    lws_callback_on_writable(c->wsi);
    return true;
}

// Writes a frame, or keeps a copy until libwebsockets has sent its rest (L22). False when the connection is broken.
bool cws_write_or_hold(cws_connection *c, uint8_t *payload, size_t length, enum lws_write_protocol kind) {
    if (c->held == NULL && !lws_partial_buffered(c->wsi)) { return write_now(c, payload, length, kind); }
    return hold(c, payload, length, kind);
}

static bool has_left_behind(cws_connection *c) { return c->held != NULL || lws_partial_buffered(c->wsi); }

static void mark_blocked(cws_connection *c) {
    c->blocked = true;
    if (!c->timed) { cws_deadline(c, UINT64_MAX); }  // the sweep looks after blocked ones (L23)
}

cws_send_result cws_send(cws_loop *loop, cws_id id, uint8_t *payload, size_t length, int is_text) {
    cws_connection *c = cws_connection_find(loop, id);
    if (c == NULL || c->state != CWS_OPEN) { return CWS_GONE; }
    if (c->blocked) {
        // The caller was told to wait for on_drained. Taking more would be a queue without a bound.
        cws_log(loop, 0, "cws_send after CWS_BLOCKED: connection dropped");
        cws_doom(c, true);
        return CWS_GONE;
    }
    if (!cws_write_or_hold(c, payload, length, is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY)) {
        cws_doom(c, true);  // at the end of the turn: on_closed never comes from inside cws_send
        return CWS_GONE;
    }
    if (!has_left_behind(c)) { return CWS_SENT; }
    mark_blocked(c);
    return CWS_BLOCKED;
}

cws_send_result cws_ping(cws_loop *loop, cws_id id) {
    cws_connection *c = cws_connection_find(loop, id);
    if (c == NULL || c->state != CWS_OPEN) { return CWS_GONE; }
    if (c->blocked || has_left_behind(c)) { return CWS_BLOCKED; }
    // L25: libwebsockets swallows a pong without payload, so one byte asks for one.
    uint8_t frame[CWS_HEADROOM + 1];
    frame[CWS_HEADROOM] = 'c';
    if (!write_now(c, frame + CWS_HEADROOM, 1, LWS_WRITE_PING)) {
        cws_doom(c, true);
        return CWS_GONE;
    }
    return CWS_SENT;  // a ping left behind blocks nobody: the next cws_send is held, and says so
}

// The socket takes bytes again, and libwebsockets has none of its own left.
int cws_writable(cws_connection *c, struct lws *wsi) {
    if (c->library_closing) {
        // libwebsockets has sent its CLOSE (it saw a broken frame) and would now read and throw away at full speed
        // for 5 s (L12). RFC 6455, 7.1.7 wants no more than what has been sent.
        cws_linger_prepare(c, wsi);
        return -1;
    }
    while (c->held != NULL && !lws_partial_buffered(wsi)) {
        cws_held *held = c->held;
        bool written = write_now(c, held->bytes + LWS_PRE, held->length, held->kind);
        c->held = held->next;
        free(held);
        if (!written) { return -1; }
    }
    if (c->blocked && !has_left_behind(c)) {
        c->blocked = false;
        if (c->message_frames == 0 && c->state == CWS_OPEN) { cws_deadline_clear(c); }
        if (c->echo) { cws_set_paused(c, false); }
        if (c->state == CWS_OPEN && c->opened) { CWS_CALL(c->loop, on_drained, cws_connection_id(c)); }
    } else if (has_left_behind(c)) {
        lws_callback_on_writable(wsi);
    }
    return 0;
}

// libwebsockets keeps what it has already read and hands it out first when reading is resumed.
void cws_set_paused(cws_connection *c, bool paused) {
    if (c->paused == paused) { return; }  // changing nothing would still cost two epoll_ctl
    c->paused = paused;
    if (!c->throttled) { lws_rx_flow_control(c->wsi, paused ? 0 : 1); }
}

void cws_pause(cws_loop *loop, cws_id id, int paused) {
    cws_connection *c = cws_connection_find(loop, id);
    if (c == NULL || c->state != CWS_OPEN) { return; }
    cws_set_paused(c, paused != 0);
}

// MARK: - Receiving

// True when the text ends inside a character. Its characters so far are valid, so looking at the last ones will do.
bool cws_utf8_is_cut_off(const uint8_t *bytes, size_t length) {
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        uint8_t byte = bytes[length - back];
        if ((byte & 0xc0) == 0x80) { continue; }  // continuation byte
        return (byte >= 0xf0 && back < 4) || (byte >= 0xe0 && back < 3) || (byte >= 0xc0 && back < 2);
    }
    return false;
}

static int echo(cws_connection *c, const uint8_t *bytes, size_t length, bool is_text) {
    uint8_t *frame = malloc(CWS_HEADROOM + length);
    if (frame == NULL) { return -1; }
    if (length > 0) { memcpy(frame + CWS_HEADROOM, bytes, length); }
    bool ok = cws_write_or_hold(c, frame + CWS_HEADROOM, length, is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    free(frame);
    if (ok && has_left_behind(c)) {
        mark_blocked(c);
        cws_set_paused(c, true);  // a peer that does not read its echo is not read either
    }
    return ok ? 0 : -1;
}

static int hand_out(cws_connection *c, const uint8_t *bytes, size_t length, bool is_text) {
    if (c->echo) { return echo(c, bytes, length, is_text); }
    cws_gather_note(c);
    CWS_CALL(c->loop, on_message, cws_connection_id(c), bytes, length, is_text ? 1 : 0);
    return 0;
}

static bool append(cws_connection *c, const uint8_t *bytes, size_t length) {
    size_t needed = c->message_length + length;
    if (needed > c->message_capacity) {
        // By what has arrived, not by what was announced: an announcement costs a peer nothing.
        size_t capacity = c->message_capacity == 0 ? 4096 : (size_t)c->message_capacity * 2;
        if (capacity > c->loop->options.message_bytes_max) { capacity = c->loop->options.message_bytes_max; }
        if (capacity < needed) { capacity = needed; }
        uint8_t *grown = realloc(c->message, capacity);
        if (grown == NULL) { return false; }
        c->message = grown;
        c->message_capacity = (uint32_t)capacity;
    }
    if (length > 0) { memcpy(c->message + c->message_length, bytes, length); }
    c->message_length = (uint32_t)needed;
    return true;
}

static void forget_message(cws_connection *c) {
    c->message = NULL;
    c->message_length = 0;
    c->message_capacity = 0;
    c->message_frames = 0;
    c->frame_ended = false;
    c->deadline_ms = UINT64_MAX;
    if (!c->blocked && c->state == CWS_OPEN) { cws_deadline_clear(c); }
}

// Called for every piece: a whole message, a whole frame, or receive_buffer_bytes of a frame, in order.
int cws_receive(cws_connection *c, struct lws *wsi, uint8_t *bytes, size_t length) {
    const cws_options *limits = &c->loop->options;
    if (c->state != CWS_OPEN) {
        // L12: after our CLOSE the peer may still be sending. Read on for its CLOSE, but not for ever.
        c->after_close_bytes += (uint32_t)length + 16;
        if (c->after_close_bytes <= CWS_CLOSE_FRAMES_MAX) { return 0; }
        cws_linger_prepare(c, wsi);
        return -1;
    }
    size_t remaining = lws_remaining_packet_payload(wsi);  // of this frame; up to 2^63 may be announced
    bool is_last = lws_is_final_fragment(wsi);
    if (c->message_frames == 0) {
        if (is_last && length <= limits->message_bytes_max) {
            return hand_out(c, bytes, length, !lws_frame_is_binary(wsi));
        }
        c->message_frames = 1;
        c->message_is_text = !lws_frame_is_binary(wsi);
        cws_deadline(c, (uint64_t)limits->message_seconds_max * 1000);
    } else if (c->frame_ended) {
        // Frames are counted, not pieces: a piece of a frame carries at least one byte and is bounded by
        // message_bytes_max and message_seconds_max, however small the receive buffer; an empty frame is not (L21).
        c->message_frames++;
        if (c->message_frames > limits->message_fragments_max) {
            return cws_fail(c, 1008, CWS_REJECT_MESSAGE_FRAGMENTS);
        }
    }
    c->frame_ended = remaining == 0;
    size_t room = limits->message_bytes_max - c->message_length;
    if (length > room || remaining > room - length) { return cws_fail(c, 1009, CWS_REJECT_MESSAGE_BYTES); }
    if (cws_now_ms(c->loop) >= c->deadline_ms) { return cws_fail(c, 1008, CWS_REJECT_MESSAGE_TIME); }
    if (!append(c, bytes, length)) { return cws_fail(c, 1009, CWS_REJECT_MESSAGE_BYTES); }
    if (!is_last) { return 0; }

    // L26: libwebsockets does not look for a cut-off character when the last frame is empty.
    if (c->message_is_text && length == 0 && cws_utf8_is_cut_off(c->message, c->message_length)) {
        return cws_fail(c, 1007, CWS_REJECT_FRAME);
    }
    uint8_t *whole = c->message;
    size_t whole_length = c->message_length;
    forget_message(c);  // before the upcall, which may end the connection
    int result = hand_out(c, whole, whole_length, c->message_is_text);
    free(whole);
    return result;
}

void cws_messages_drop(cws_connection *c) {
    free(c->message);
    c->message = NULL;
    c->message_frames = 0;
    while (c->held != NULL) {
        cws_held *next = c->held->next;
        free(c->held);
        c->held = next;
    }
}
