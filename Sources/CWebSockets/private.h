// private.h: what the files of this target share. Nothing in it is seen by Swift.
//
//   loop.c        life of a loop, its turns, its timers
//   gather.c      a short wait before input is read, while much comes
//   meter.c       how much input a connection may have read
//   vhost.c       the lws_context and its vhosts: every option we set on libwebsockets, and why; TLS reload
//   tickets.c     TLS sessions that are resumed on any loop
//   listener.c    listening sockets, accept, admission
//   connection.c  the slot table, and the one callback through which libwebsockets speaks
//   handshake.c   what an upgrade request must look like before libwebsockets may answer it
//   messages.c    sending, receiving, putting fragments together
//   closing.c     every way in which a connection ends
//   http.c        plain HTTP requests and refusals
//   bodies.c      answers that come later, in pieces
//   client.c      connections that we open
//   event_pipe.c  a descriptor that libwebsockets closes twice
//   log.c         libwebsockets' log lines
//   ending.c      OpenSSL at the end of the process
//
// "L1" ... "L21" in comments are rows of `docs/pitfalls.md`; "L22" and above were found while this target was written
// and are in `docs/decisions/0002-libwebsockets-4.1.6.md`.
#ifndef CWS_PRIVATE_H
#define CWS_PRIVATE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // accept4
#endif

#include <libwebsockets.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "CWebSockets.h"

// Limits. Those that a deployment may want to change are in cws_options; these are not.
enum {
    CWS_ACCEPT_BATCH = 64,              // accepts per wake-up of one listener, so that a storm cannot starve the rest,
    CWS_ACCEPT_MICROSECONDS = 500,      // and how long they may take: whoever has a connection waits for them
    CWS_TURNED_AWAY_KINDLY = 100,       // connections a second that are told when to come back; more are reset
    CWS_TURNED_AWAY_FLOOD = 20,         // connections a second that are turned away; beyond it accepting pauses
    CWS_FLOOD_PAUSE_MS = 20,            // for so long: later connections wait in the backlog and come together
    CWS_ACCEPT_PAUSE_MS = 200,          // after EMFILE (L13): 5 tries a second cost nothing and room is soon noticed
    CWS_SWEEP_MS = 250,                 // how late a deadline may be noticed
    CWS_CLOSE_MS = 2000,                // our CLOSE to the peer's answer (L12: libwebsockets would wait 5 s)
    CWS_CLOSE_BYTES_MAX = 256 * 1024,   // discarded of a peer that is to go before it is cut off (L12)
    CWS_CLOSE_FRAMES_MAX = 16 * 1024,   // of these taken apart, in search of its CLOSE: that costs more than discarding
    CWS_LINGER_MS = 1000,               // discarding input so that our last bytes are not lost to a TCP reset
    CWS_LINGER_MAX = 256,               // connections lingering at once; more are closed without lingering
    CWS_RESPONSE_BYTES_PER_SECOND = 65536,  // slowest reader of an HTTP body that we wait for
    CWS_BODY_BYTES_PER_TURN = 64 * 1024,  // of all answers in pieces, in one turn of the loop
    CWS_HEADER_BYTES_MAX = 8192,        // all headers of one request
    CWS_TX_PACKET_BYTES = 16 << 20,     // largest send() that libwebsockets may try at once
    CWS_NOTSENT_LOWAT = 128 * 1024,     // unsent bytes that the kernel holds for a slow reader
    CWS_LOG_LINES_PER_SECOND = 20,      // B33
    CWS_GATHER_TALKERS = 25,            // connections that talk, from which a loop gathers input before it reads
    CWS_GATHER_URGENT = 16,             // one urgent message in so many, and it does not
    CWS_GATHER_WINDOW_US = 100000,      // over which they are counted
    CWS_LOOK_MS = 20,                   // between two looks at what the kernel has received of some connections
    CWS_LOOK_WINDOW_MS = 1000,          // over which such a look measures a connection's rate
    CWS_LOOK_SLACK_BYTES = 16 * 1024,   // beyond its rate before a connection is metered
    CWS_LOOKS_PER_ROUND = 200,          // looks until all connections have had one: 4 s
    CWS_NEWEST_MAX = 16,                // connections that every look includes, and the fewest of a look
    CWS_METERS_MAX = 64,                // connections of a loop that are metered at once
    CWS_NEWEST_MS = 10000,              // for which a connection is one of them
    CWS_NEWEST_LOOK_MS = 2,             // between two looks at them
    CWS_METER_MS = 60000,               // without owing anything, until a connection is not metered any more
    CWS_READ_COST_BYTES = 512,          // what a read costs beside its bytes: a wake-up and a system call
    CWS_TLS_RECORD_BYTES = 16384,       // the most that one TLS record holds (RFC 8446 5.1)
    CWS_CHUNK = 256,                    // connections per chunk of the slot table
};

// A CLOSE frame. libwebsockets keeps this member of enum lws_write_protocol private ("handled internally"), but
// lws_write takes it like PING and PONG; why we write our own stands in closing.c. Debian's 4.1.6 does not change.
#define CWS_WRITE_CLOSE ((enum lws_write_protocol)4)

typedef enum {
    CWS_FREE = 0,
    CWS_HTTP,        // accepted: TLS handshake, HTTP request, or idle between two requests
    CWS_CONNECTING,  // by cws_connect, not yet open
    CWS_OPEN,        // a WebSocket, between on_open and the first sign of its end
    CWS_CLOSING,     // a WebSocket whose end has begun: nothing more is sent, nothing more is handed out
    CWS_DEAD,        // on_closed has been called, or was never due; libwebsockets still holds the socket
    CWS_LINGERING,   // libwebsockets has let go; we discard input for a moment, then close
} cws_state;

// Bytes that could not be written at once because libwebsockets itself had left some behind (L22).
typedef struct cws_held {
    struct cws_held *next;
    size_t length;
    enum lws_write_protocol kind;
    uint8_t bytes[];  // LWS_PRE free bytes, then `length`
} cws_held;

typedef struct cws_body cws_body;  // bodies.c

// One TCP connection. Kept small: an idle WebSocket costs this, libwebsockets' own structures, and nothing else.
typedef struct cws_connection {
    cws_loop *loop;
    struct lws *wsi;                    // NULL before adoption and after WSI_DESTROY
    struct cws_connection *timed_next;  // list of those with a deadline
    struct cws_connection *timed_prev;
    struct cws_connection *next;        // free list, or list of the doomed
    uint64_t deadline_ms;               // uv_now() at which the sweep acts; UINT64_MAX = none
    uint64_t tag;                       // cws_connect's
    uint8_t *message;                   // fragments so far
    cws_held *held;
    cws_body *body;                     // an answer that comes in pieces
    uv_poll_t *linger;
    char *forwarded;                    // all `Forwarded` lines of the request at hand, joined; NULL = none seen
    char *x_forwarded_for;              // the same of `X-Forwarded-For`
    uint32_t message_length;
    uint32_t message_capacity;
    uint32_t message_frames;            // 0 = no message has begun
    uint32_t after_close_bytes;         // received after our CLOSE, or while lingering
    uint32_t looked_cost;               // received when it was looked at, as meter.c counts; wraps round
    uint32_t looked_ms;                 // when that was
    uint32_t talked_window;             // the last gather_window in which it said something; 0 = none yet
    uint32_t slot;
    uint32_t generation;
    int linger_fd;
    uint16_t close_code;                // of the peer; 1006 until it says one
    uint16_t head_bytes;                // of a head that is not whole yet
    uint16_t head_line;                 // of these, before the line at hand
    uint16_t head_last;                 // where the line before that begins
    uint16_t head_kept;                 // of the lines before it, in libwebsockets
    uint8_t heads;                      // whole and good, which libwebsockets has not handed out yet (heads.c)
    uint8_t state;                      // cws_state
    bool watched : 1;                   // heads.c looks at what comes
    bool head_waits : 1;                // in the kernel, until it is whole
    bool head_is_last : 1;              // unchecked bytes follow the last good head
    bool head_is_unseen : 1;            // libwebsockets reads the rest unchecked, after the peer has ended
    bool head_has_line : 1;             // the head that is not whole yet has its request line
    bool head_has_body : 1;             // the last of the good ones announces one
    bool head_has_host : 1;             // the head at hand, as the next three
    bool head_has_connection : 1;
    bool head_says_close : 1;
    bool head_is_final : 1;             // says it in a way that libwebsockets does not see
    bool timed : 1;
    bool doomed : 1;                    // in the loop's list, killed at the end of the turn
    bool abrupt : 1;                    // end it with a TCP reset: nothing that waits is worth sending
    bool admitted : 1;                  // on_admit said CWS_ADMITTED, on_released is due
    bool opened : 1;                    // on_open was called, on_closed is due (L17)
    bool ended_by_us : 1;               // the end was ours: what libwebsockets says about it is not news
    bool library_closing : 1;           // libwebsockets found a broken frame and sends a CLOSE by itself
    bool blocked : 1;                   // cws_send said CWS_BLOCKED, on_drained is due
    bool echo : 1;
    bool paused : 1;                    // not read: cws_pause, or an echo that is not read itself
    bool metered : 1;                   // in the loop's `meters`
    bool throttled : 1;                 // not read: it owes its meter
    bool client : 1;
    bool tls : 1;
    bool message_is_text : 1;
    bool frame_ended : 1;               // the last piece was the end of its frame, but not of its message
    bool responding : 1;                // an HTTP response is on its way
    bool failure_told : 1;              // on_connect_failed was called
    cws_address address;
} cws_connection;

// A connection that was read at more than the rate, and now pays for each turn that reads from it.
typedef struct {
    cws_connection *connection;
    int64_t credit;       // bytes; below 0 it is not read
    uint64_t read_bytes;  // taken from its socket when it paid last
    uint64_t paid_ms;
    uint64_t owed_ms;     // when it last owed anything
} cws_meter;

typedef struct cws_listener {
    struct cws_listener *next;
    cws_loop *loop;
    uv_poll_t poll;
    int fd;
} cws_listener;

struct cws_loop {
    cws_callbacks call;
    void *context;
    cws_options options;  // its strings are our copies
    char **subprotocols;  // NULL-terminated

    uv_loop_t uv;
    uv_async_t wake;
    uv_timer_t timer;
    uv_timer_t sweep;
    uv_timer_t accept_pause;
    uv_timer_t meter_timer;  // runs while a connection is throttled
    uv_prepare_t before_poll;
    uv_check_t after_poll;
    uv_idle_t again;        // active while something must not wait for the next event
    bool in_timer;          // on_timer is running
    bool timer_is_due;      // it set itself to now: it fires after the next poll
    bool turn_has_news;     // something was handed out since the last on_turn_end
    bool goes_on;           // the owner has more to do as soon as ready input has been read (cws_loop_go_on)
    bool is_busy;           // so many talk that gathering pays
    uint64_t polled_at;     // end of the last wait, in microseconds
    uint64_t gather_since;  // when this window began, in microseconds
    uint32_t gather_window; // counts windows from 1; wraps round
    uint32_t talkers;       // connections that have talked in this window, and in one before
    uint32_t messages;      // in this window
    uint32_t urgent;        // of these
    uint32_t last_messages; // in the window before
    uint32_t last_urgent;
    cws_meter meters[CWS_METERS_MAX];
    uint32_t meter_count;
    uint32_t look_slot;     // of the slot table: the next one to look at
    uint64_t looked_ms;
    cws_id newest[CWS_NEWEST_MAX];
    uint64_t newest_ms[CWS_NEWEST_MAX];  // when they were opened
    uint32_t newest_next;
    uint64_t newest_looked_ms;           // when they were looked at
    int gather_fd;          // ends a wait of cws_gather
    atomic_bool gathering;
    atomic_bool woken;  // on_wake is due: nothing may be waited for before it
    bool stopping;
    bool torn_down;

    struct lws_context *lws;
    struct lws_protocols *protocols;
    struct lws_vhost *server;
    struct lws_vhost *client;
    struct lws_vhost *client_tls;
    uv_close_cb event_pipe_closed;  // what libwebsockets wants called (L36)
    uv__io_cb read_io;              // what libuv calls when a socket has news (heads.c)

    cws_listener *listeners;
    cws_connection *adopting;  // the connection whose lws_adopt... call is under way

    cws_connection **chunks;
    uint32_t chunk_count;
    uint32_t connection_count;
    cws_connection *free_list;
    cws_connection *timed;
    cws_connection *doomed;
    cws_body *bodies;  // answers in pieces, in the order in which they are served
    uint32_t body_count;
    uint32_t lingering;
    uint64_t turned_away_second;
    uint32_t turned_away;  // in that second

    int fd_ceiling;  // libwebsockets refuses descriptors from here on
    uint64_t log_second;
    uint32_t log_lines;
    uint32_t log_dropped;

    uint8_t *scratch;  // CWS_SCRATCH_BYTES: headers of the request at hand; discarded input
};

enum { CWS_SCRATCH_BYTES = 2 * CWS_HEADER_BYTES_MAX };

// An upcall that may give the caller something to send: on_turn_end is due afterwards.
#define CWS_CALL(loop, name, ...)                            \
    do {                                                     \
        (loop)->turn_has_news = true;                        \
        (loop)->call.name((loop)->context, ##__VA_ARGS__);   \
    } while (0)

// loop.c
uint64_t cws_now_ms(cws_loop *loop);

// event_pipe.c
uv_handle_t *cws_event_pipe_find(cws_loop *loop);
void cws_event_pipe_guard(cws_loop *loop, uv_handle_t *pipe);

// gather.c
int cws_gather_open(cws_loop *loop);
void cws_gather_close(cws_loop *loop);
void cws_gather(cws_loop *loop);
void cws_gather_note(cws_connection *c);
// From any thread.
void cws_gather_interrupt(cws_loop *loop);

// meter.c
void cws_meter_opened(cws_connection *c);
void cws_meter_drop(cws_connection *c);
void cws_meter_turn(cws_loop *loop, bool quiet);
void cws_meter_waited(uv_timer_t *timer);

// tickets.c
void cws_share_tickets(void *ssl_context);  // an SSL_CTX

// vhost.c
int cws_context_create(cws_loop *loop);
struct lws_vhost *cws_client_vhost(cws_loop *loop, bool tls);

// listener.c
void cws_listeners_resume(uv_timer_t *timer);

// connection.c
cws_connection *cws_connection_take(cws_loop *loop);
void cws_connection_release(cws_connection *c);
cws_connection *cws_connection_find(cws_loop *loop, cws_id id);
static inline cws_id cws_connection_id(const cws_connection *c) {
    return ((uint64_t)c->generation << 32) | c->slot;
}
void cws_deadline(cws_connection *c, uint64_t milliseconds_from_now);
void cws_deadline_clear(cws_connection *c);
void cws_sweep(uv_timer_t *timer);
bool cws_has_unread_input(cws_connection *c);
int cws_lws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);
void cws_reject_count(cws_loop *loop, cws_reject reason);

// certificate.c
// Whether the file has a private key that wants a passphrase. Asks nobody for it.
bool cws_key_is_encrypted(const char *path);

// handshake.c
int cws_handshake_check(cws_connection *c, struct lws *wsi, char *named);
void cws_handshake_read(cws_connection *c, struct lws *wsi, cws_handshake *handshake);
typedef struct {
    char *next;
    size_t left;
    bool overflowed;  // does not fit: 431
    bool malformed;   // 400
} cws_strings;
const char *cws_header(cws_strings *strings, struct lws *wsi, enum lws_token_indexes token);
void cws_forwarding_read(cws_strings *strings, cws_connection *c, struct lws *wsi, cws_forwarding *forwarding);
const char *cws_path(cws_strings *strings, struct lws *wsi, enum lws_token_indexes token);
const char *cws_query(cws_strings *strings, struct lws *wsi);
bool cws_list_has(const char *list, const char *name);

// heads.c
typedef enum {
    CWS_HEAD_GOOD,
    CWS_HEAD_LAST,    // the answer is the last of its connection
    CWS_HEAD_BROKEN,  // 400
} cws_head;
void cws_heads_watch(cws_connection *c);
cws_head cws_head_take(cws_connection *c, struct lws *wsi);
void cws_head_forget(cws_connection *c);

// messages.c
int cws_receive(cws_connection *c, struct lws *wsi, uint8_t *bytes, size_t length);
int cws_writable(cws_connection *c, struct lws *wsi);
void cws_set_paused(cws_connection *c, bool paused);
bool cws_write_or_hold(cws_connection *c, uint8_t *payload, size_t length, enum lws_write_protocol kind);
void cws_messages_drop(cws_connection *c);
bool cws_utf8_is_cut_off(const uint8_t *bytes, size_t length);

// closing.c
int cws_fail(cws_connection *c, uint16_t code, cws_reject reason);
int cws_peer_close(cws_connection *c, const uint8_t *payload, size_t length);
void cws_library_closing(cws_connection *c, struct lws *wsi);
void cws_doom(cws_connection *c, bool abrupt);
void cws_kill(cws_connection *c);
void cws_closed(cws_connection *c);
void cws_linger_prepare(cws_connection *c, struct lws *wsi);
void cws_linger_begin(cws_connection *c);
void cws_linger_end(cws_connection *c);

// http.c
struct cws_request {
    cws_connection *connection;
    struct lws *wsi;
    bool head_only;
    bool keep_alive;
    bool speaks_chunks;  // HTTP/1.1
    bool may_defer;
    bool refused;  // the answer was 400 or more
    bool answered;
    bool deferred;
    bool broken;
};
int cws_http_request(cws_connection *c, struct lws *wsi);
int cws_http_refuse(cws_connection *c, struct lws *wsi, int status, cws_reject reason);
bool cws_http_has_body(const cws_connection *c, struct lws *wsi);
// What "Retry-After" says: 2 to 6.
int cws_retry_seconds(void);
// Writes status line and header lines, up to the empty one. `length` below 0 = of no known length. Returns the number
// of bytes; 0 = they do not fit.
size_t cws_http_head_write(char *text, size_t room, const cws_connection *c, int status, const char *type,
                           const char *headers, bool has_content, int64_t length, bool chunked, bool keep_alive);

// bodies.c
bool cws_bodies_wait(cws_loop *loop);
void cws_bodies_turn(cws_loop *loop);
void cws_bodies_silence(cws_loop *loop);
void cws_bodies_end(cws_loop *loop);
void cws_body_end(cws_connection *c, bool completed);

// client.c
void cws_connect_failed(cws_connection *c, const char *reason, size_t length);
void cws_connect_refused(cws_connection *c, struct lws *wsi, const char *reason, size_t length);

// log.c
void cws_log(cws_loop *loop, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));
cws_loop *cws_log_enter(cws_loop *loop);
void cws_log_leave(cws_loop *previous);
void cws_log_install(void);

#endif
