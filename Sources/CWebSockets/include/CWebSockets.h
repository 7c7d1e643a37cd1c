// CWebSockets: WebSockets and a little HTTP over libwebsockets 4.1.6 on a libuv loop.
//
// The only code in Cairn that sees `struct lws` (ARCHITECTURE.md, invariant 2). A loop owns one uv_loop_t,
// one lws_context without a listener of its own, and any number of listening sockets that it accepts from,
// admits and hands to libwebsockets (docs/pitfalls.md, L13 and L14).
//
// Threads: a loop is confined to the thread that calls `cws_loop_run`. Every function below must be called on
// that thread, or before `cws_loop_run` starts, except `cws_loop_wake`, which any thread may call.
//
// Connections are named by an opaque 64-bit id: slot index in the low 32 bits, generation in the high 32 bits.
// An id that is no longer alive is answered with CWS_GONE or ignored; it never names another connection.
#ifndef CWEBSOCKETS_H
#define CWEBSOCKETS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bytes that the caller leaves free in front of a payload handed to `cws_send` (the frame header goes there).
#define CWS_HEADROOM 32

// Largest piece of an answer that `cws_http_piece` takes.
#define CWS_PIECE_BYTES_MAX 65536

typedef struct cws_loop cws_loop;
typedef uint64_t cws_id;

static inline uint32_t cws_slot(cws_id id) { return (uint32_t)id; }

// A peer's address as IPv6 (IPv4 is mapped, ::ffff:a.b.c.d), network byte order.
typedef struct {
    uint8_t bytes[16];
    uint16_t port;
} cws_address;

// What proxies say of the request's way here. Anybody can say it: believe only peers that are known to be proxies.
typedef struct {
    const char *x_forwarded_for;  // several headers are joined by commas, in their order; "" when there is none
    const char *forwarded;        // RFC 7239; of several headers the first; "" when there is none
    int any;                      // 1 when one of these or another X-Forwarded-... was sent, be it empty
    int likely;                   // 1 when that, or Via, X-Real-IP, CF-Connecting-IP or the like was sent
} cws_forwarding;

// What a handshake asked for. Pointers live only during the call they are handed to. Strings are the peer's: of any
// bytes but NUL.
typedef struct {
    cws_address address;
    const char *path;         // without the query; percent-decoded, dot segments removed
    const char *query;        // still percent-encoded; parameters joined by '&'; "" when there is none
    const char *origin;       // "" when there is none
    const char *host;         // "" when there is none
    const char *authorization;  // "" when there is none
    const char *cookie;       // "" when there is none
    const char *subprotocol;  // the one that was chosen; "" when none was offered
    cws_forwarding forwarding;
    int tls;                  // 1 when the connection is over TLS
    cws_id id;                // of the connection: on_open and on_released name the same
} cws_handshake;

// A plain HTTP request. Answer it during the call, once, with `cws_http_reply`, or defer it with `cws_http_defer`; else
// it is answered 404. Requests with a body never get here (413), nor do other methods (405). After POST the connection
// is closed.
typedef struct cws_request cws_request;
typedef struct {
    cws_address address;
    const char *method;  // "GET", "HEAD", "POST"
    const char *path;
    const char *query;
    const char *host;
    const char *origin;  // "" when there is none: browsers send it with every POST
    const char *authorization;
    const char *cookie;
    const char *if_none_match;  // "" when there is none, as for the next four
    const char *range;
    const char *if_range;
    const char *accept_encoding;
    const char *accept_language;
    cws_forwarding forwarding;
    int tls;
} cws_http_head;

// Why a handshake or a request never became a connection, or why the library ended one. Counted, never silent.
typedef enum {
    CWS_REJECT_ADMISSION = 0,    // the caller's `on_admit` said so, or the slot table is full
    CWS_REJECT_DESCRIPTORS,      // EMFILE or ENFILE: the listener paused
    CWS_REJECT_HANDSHAKE,        // method, HTTP version, WebSocket version or key (pitfalls L8)
    CWS_REJECT_ORIGIN,           // `on_handshake` refused
    CWS_REJECT_SUBPROTOCOL,      // none of ours offered
    CWS_REJECT_UPGRADE,          // h2c or unknown Upgrade (L1, L4)
    CWS_REJECT_RAW,              // CONNECT or other raw traffic (L5)
    CWS_REJECT_BODY,             // a request body that nobody asked for (L6, L7)
    CWS_REJECT_TIMEOUT,          // handshake not finished in time
    CWS_REJECT_MESSAGE_BYTES,    // message longer than `message_bytes_max`: closed 1009
    CWS_REJECT_MESSAGE_FRAGMENTS,  // more than `message_fragments_max` pieces: closed 1008
    CWS_REJECT_MESSAGE_TIME,     // fragments dribbled past `message_seconds_max`: closed 1008
    CWS_REJECT_FRAME,            // frame rule of RFC 6455 broken: closed 1002 or 1007
    CWS_REJECT_TLS_HANDSHAKES,   // `on_admit` said so: one address began too many TLS handshakes
    CWS_REJECT_INPUT,            // more input than `input_bytes_per_second`: not read for a moment, stays open
    CWS_REJECT_COUNT
} cws_reject;

// What `on_admit` returns for a connection that may come in.
#define CWS_ADMITTED (-1)

typedef struct {
    // A TCP connection was accepted, and nothing was read or written: return CWS_ADMITTED, or the cws_reject that it
    // is counted as to close it at once.
    int (*on_admit)(void *context, const cws_address *address);
    // The admitted TCP connection ended (also when it never became a WebSocket). Once per CWS_ADMITTED.
    void (*on_released)(void *context, const cws_address *address, cws_id id);
    // A valid upgrade request: answer it during the call with `cws_http_reply` to refuse it; without an answer it is
    // accepted, and on_open follows, unless the peer is gone already.
    void (*on_handshake)(void *context, cws_request *request, const cws_handshake *handshake);
    // A WebSocket is open, ours or (after `cws_connect`) a peer's. `tag` is what cws_connect was given, else 0; then
    // the handshake has nothing but its subprotocol.
    void (*on_open)(void *context, cws_id id, const cws_handshake *handshake, uint64_t tag);
    // One whole message, reassembled. The bytes live only during the call. Text is valid UTF-8.
    void (*on_message)(void *context, cws_id id, const uint8_t *bytes, size_t length, int is_text);
    // A pong that answers `cws_ping`, or any other pong.
    void (*on_pong)(void *context, cws_id id);
    // All bytes that cws_send left behind are with the kernel: the connection takes more.
    void (*on_drained)(void *context, cws_id id);
    // The peer broke a limit and is about to be closed for it: the last moment at which cws_send works.
    void (*on_breach)(void *context, cws_id id, cws_reject reason);
    // The WebSocket is gone. `code` is the peer's close code; 1005 when its CLOSE had none, 1006 without a CLOSE (then
    // TCP broke, or the end was ours). 1012, 1013 and 1014 arrive as 1002 (L27). Once per on_open.
    void (*on_closed)(void *context, cws_id id, uint16_t code);
    // `cws_connect` failed before the WebSocket was open. "HTTP 503" when the server answered with a status.
    void (*on_connect_failed)(void *context, uint64_t tag, const char *reason);
    // A plain HTTP request.
    void (*on_request)(void *context, cws_request *request, const cws_http_head *head);
    // Of a deferred request: all bytes so far are with the kernel, the next piece may come. Not from inside
    // cws_http_begin or cws_http_piece.
    void (*on_body_wanted)(void *context, cws_id id);
    // A deferred request is over: answered whole (1), or cut off (0). Once per cws_http_defer.
    void (*on_body_ended)(void *context, cws_id id, int completed);
    // Something was refused or closed by the transport itself.
    void (*on_reject)(void *context, cws_reject reason);
    // `cws_loop_wake` was called at least once since the last call.
    void (*on_wake)(void *context);
    // The timer of `cws_loop_set_timer` fired.
    void (*on_timer)(void *context);
    // End of one turn of the loop in which something was handed out: all input that was ready has been. Send what is
    // waiting now. Not called any more once cws_loop_stop has taken effect.
    void (*on_turn_end)(void *context);
    // A line for the log, without a newline. level: 0 error, 1 warning, 2 notice.
    void (*on_log)(void *context, int level, const char *line);
} cws_callbacks;

typedef struct {
    const char *const *subprotocols;  // NULL-terminated list, in order of preference
    const char *echo_path;            // NULL, or a path that echoes messages (tests only); needs no subprotocol
    const char *tls_certificate_path;  // NULL = plain text
    const char *tls_key_path;
    size_t message_bytes_max;         // reassembled message
    uint32_t message_fragments_max;   // frames per message
    uint32_t message_seconds_max;     // first to last fragment
    uint32_t unacknowledged_seconds_max;  // data that the peer's kernel does not take; then the connection is gone
    uint32_t handshake_seconds_max;   // TCP accept to WebSocket open; accept, or the last HTTP response, to the next
    uint32_t receive_buffer_bytes;    // per connection, allocated by libwebsockets for each open WebSocket; with TLS
                                      // at least what a record holds, 16,384
    uint32_t service_buffer_bytes;    // per loop
    uint32_t connections_max;         // sizes the slot table's ceiling
    uint32_t gather_us;               // longest that input waits while much comes that is not urgent; 0 = never
    uint32_t input_bytes_per_second;  // of an accepted WebSocket, frames and all, each read as 512 more; 0 = any
} cws_options;

// Returns NULL on failure, having said why through on_log. Raise RLIMIT_NOFILE before: descriptors beyond the limit of
// this moment are refused later. Ignores SIGPIPE for the whole process.
cws_loop *cws_loop_create(const cws_options *options, const cws_callbacks *callbacks, void *context);
// Runs until cws_loop_stop. The calling thread becomes the loop's thread.
void cws_loop_run(cws_loop *loop);
// From the loop's thread: close every connection (no goodbye) and return from cws_loop_run soon.
void cws_loop_stop(cws_loop *loop);
// After cws_loop_run has returned (or was never called).
void cws_loop_destroy(cws_loop *loop);
// From any thread: on_wake will run soon on the loop's thread. Calls coalesce.
void cws_loop_wake(cws_loop *loop);
// From the loop's thread: on_turn_end runs again as soon as input that is ready has been read, without a wait.
void cws_loop_go_on(cws_loop *loop);
// on_timer fires once after `milliseconds`; replaces what was set before. 0 = as soon as possible, and after the next
// poll when on_timer itself sets it. -1 cancels.
void cws_loop_set_timer(cws_loop *loop, int64_t milliseconds);
// Changes gather_us; from the loop's thread.
void cws_loop_set_gather(cws_loop *loop, uint32_t gather_us);
// Says of the message at hand that it must not wait; from the loop's thread. Input waits less, the more of it is so.
void cws_gather_urgent(cws_loop *loop);
// Changes input_bytes_per_second; from the loop's thread.
void cws_set_input_rate(cws_loop *loop, uint32_t bytes_per_second);

// 0 when `port` is free for a first listener, or -errno (EADDRINUSE when somebody listens there, this process
// included). SO_REUSEPORT would share the port with another server in silence. From any thread; port 0 is always free.
int cws_port_error(const char *address, uint16_t port);
// A listening socket of this loop's own, SO_REUSEPORT. Returns the bound port (useful with port 0), or -errno.
int cws_listen(cws_loop *loop, const char *address, uint16_t port, int backlog);
// The same for a descriptor that is already listening (systemd socket activation). The loop takes it over.
int cws_listen_fd(cws_loop *loop, int fd);
// Another `unacknowledged_seconds_max` for connections that are accepted from now on.
void cws_set_unacknowledged(cws_loop *loop, uint32_t seconds);
// Stops accepting: closes this loop's listening sockets. Connections not yet accepted are reset.
void cws_unlisten(cws_loop *loop);
// Takes a new certificate and key for handshakes from now on; 0, or -1 with the old pair kept.
int cws_reload_tls(cws_loop *loop);

// PEM text with a certificate for these names (host names and addresses, ended by NULL) that is signed by its own key,
// and the key. Free it. NULL on failure. From any thread.
char *cws_certificate_make(const char *const *names, long valid_seconds);
// Whether the file has a certificate with its key that is good for all of these names, now and for `seconds` more.
int cws_certificate_fits(const char *path, const char *const *names, long seconds);

// Opens a WebSocket to a server. `subprotocol` must be one of the loop's. 0, or -1 (then no callback follows).
// A numeric `host` does not block; a name is looked up on the spot and blocks the loop. Not from on_message while the
// message's bytes are still needed.
int cws_connect(cws_loop *loop, const char *host, uint16_t port, const char *path, const char *subprotocol,
                int tls, int tls_allow_self_signed, uint64_t tag);

typedef enum {
    CWS_SENT = 0,     // with the kernel
    CWS_BLOCKED = 1,  // taken, but bytes are left behind: send no more until on_drained, or the connection is dropped
    CWS_GONE = 2      // no such connection, or it is closing
} cws_send_result;

// One message in one frame, at once, in one send where the socket takes it. `payload` has CWS_HEADROOM writable
// bytes in front of it, which are overwritten; the payload itself is unchanged for connections that we accepted
// (client connections mask it in place). May be called from any callback.
cws_send_result cws_send(cws_loop *loop, cws_id id, uint8_t *payload, size_t length, int is_text);
// Sends a ping when nothing is left behind, else returns CWS_BLOCKED, sends none and makes no on_drained due. It
// carries one byte, because libwebsockets swallows pongs without payload (L25).
cws_send_result cws_ping(cws_loop *loop, cws_id id);
// Stops (1) or resumes (0) reading from the connection: TCP backpressure. While it is stopped a peer that goes away
// is noticed only by writing.
void cws_pause(cws_loop *loop, cws_id id, int paused);
// Starts the closing handshake. on_closed follows, at the latest after a few seconds (then without the peer's answer).
void cws_close(cws_loop *loop, cws_id id, uint16_t code, const char *reason);
// Drops the TCP connection without a word. on_closed follows soon.
void cws_abort(cws_loop *loop, cws_id id);

// Answers a request. `headers` is extra lines, each ending with CRLF, or NULL. The body is copied.
void cws_http_reply(cws_request *request, uint16_t status, const char *content_type, const char *headers,
                    const uint8_t *body, size_t length);

// Promises an answer that comes later, in pieces. Until it has gone out nothing is read from the connection. Returns
// the id to name it by until on_body_ended; 0 when it cannot be deferred (after POST, or out of memory).
cws_id cws_http_defer(cws_request *request);
// Says the head. A `length` below 0 is not known: the body goes in chunks, to an HTTP/1.0 client until the connection
// ends. on_body_wanted follows, or on_body_ended when there is no body, as after HEAD. 0, or -1 when the answer is
// over.
int cws_http_begin(cws_loop *loop, cws_id id, uint16_t status, const char *content_type, const char *headers,
                   int64_t length);
// The next piece, when it is wanted. It is copied. A body that turns out longer or shorter than its head has said is
// cut off. 0, or -1 when the answer is over or no piece is wanted.
int cws_http_piece(cws_loop *loop, cws_id id, const uint8_t *bytes, size_t length, int is_last);
// Drops the connection in the middle of the answer, so that its reader does not take it for whole.
void cws_http_cut(cws_loop *loop, cws_id id);

// Monotonic time in microseconds, from the loop's clock source.
uint64_t cws_now_us(void);

#ifdef __cplusplus
}
#endif
#endif
