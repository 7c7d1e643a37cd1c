// vhost.c: the lws_context and its vhosts: every option we set on libwebsockets, and why.
#include "private.h"

#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The vhost's first protocol takes what has no subprotocol yet: HTTP requests and the echo path. libwebsockets
// matches offered subprotocols against all names of the vhost; parentheses cannot occur in an offered one.
#define CWS_NO_SUBPROTOCOL "(none)"

// libwebsockets' default pings every WebSocket after 300 s and hangs up after 310 s, by a timer per connection in a
// sorted list: O(connections) for each new one. Zeros switch that off; who is alive is the caller's to decide.
static const lws_retry_bo_t no_keepalive = {0};

static struct lws_protocols *make_protocols(cws_loop *loop) {
    size_t count = 0;
    while (loop->subprotocols[count] != NULL) { count++; }
    struct lws_protocols *protocols = calloc(count + 2, sizeof *protocols);
    if (protocols == NULL) { return NULL; }
    for (size_t i = 0; i < count + 1; i++) {
        protocols[i].name = i == 0 ? CWS_NO_SUBPROTOCOL : loop->subprotocols[i - 1];
        protocols[i].callback = cws_lws_callback;
        // Allocated by libwebsockets for every open WebSocket, and the most that one receive callback is handed.
        protocols[i].rx_buffer_size = loop->options.receive_buffer_bytes;
        // lws_issue_raw never sends more than this at once. Its default is rx_buffer_size: a 2,500-byte message
        // would cost three sends and two trips through epoll.
        protocols[i].tx_packet_size = CWS_TX_PACKET_BYTES;
    }
    return protocols;
}

static bool uses_tls(const cws_loop *loop) { return loop->options.tls_certificate_path != NULL; }

// libwebsockets treats a missing certificate as "perhaps later" and serves without one.
static bool tls_files_readable(cws_loop *loop) {
    const char *paths[] = {loop->options.tls_certificate_path, loop->options.tls_key_path};
    for (int i = 0; i < 2; i++) {
        if (paths[i] == NULL || access(paths[i], R_OK) != 0) {
            const char *what = i == 0 ? "certificate" : "key";
            cws_log(loop, 0, "TLS: cannot read the %s %s", what, paths[i] == NULL ? "(no path)" : paths[i]);
            return false;
        }
    }
    if (cws_key_is_encrypted(paths[1])) {
        cws_log(loop, 0, "TLS: the key %s is encrypted, and nobody is asked for its passphrase: store it without one "
                "(openssl pkey -in KEY -out NEW), readable by its owner alone", paths[1]);
        return false;
    }
    return true;
}

static struct lws_context_creation_info common(cws_loop *loop) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.protocols = loop->protocols;
    info.extensions = NULL;       // L2, L3: permessage-deflate aborts the process
    info.alpn = "http/1.1";       // L4: no HTTP/2
    info.retry_and_idle_policy = &no_keepalive;
    info.http_proxy_address = "";  // else the environment's http_proxy would be used by cws_connect
    // Our own deadline (connection.c) comes first; libwebsockets' is renewed by every byte of a body (L7).
    info.timeout_secs = loop->options.handshake_seconds_max + 5;
    info.keepalive_timeout = (int)loop->options.handshake_seconds_max + 5;
    return info;
}

// Whether the vhost's certificate is past its last day (B28). libwebsockets reads that day, which is in UTC, as local
// time, so the present is read alike.
static bool is_expired(struct lws_vhost *vhost) {
    union lws_tls_cert_info_results last;
    if (lws_tls_vhost_cert_info(vhost, LWS_TLS_CERT_INFO_VALIDITY_TO, &last, 0) != 0) { return false; }
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    utc.tm_isdst = 0;
    return last.time < mktime(&utc);
}

static struct lws_vhost *make_server_vhost(cws_loop *loop, const char *name) {
    struct lws_context_creation_info info = common(loop);
    info.vhost_name = name;
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;  // L13, L14: we listen ourselves (listener.c)
    if (uses_tls(loop)) {
        if (!tls_files_readable(loop)) { return NULL; }
        // DISABLE_OS_CA_CERTS: libwebsockets makes a client context too, which nobody uses here.
        info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
        info.ssl_cert_filepath = loop->options.tls_certificate_path;
        info.ssl_private_key_filepath = loop->options.tls_key_path;
        // Of TLS 1.2 only what authenticates while it encrypts, with a key of the connection's own; 1.3 has no other.
        info.ssl_cipher_list = "ECDHE+AESGCM:ECDHE+CHACHA20";
        info.ssl_options_set = SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1;  // B28
    }
    struct lws_vhost *vhost = lws_create_vhost(loop->lws, &info);
    if (vhost == NULL) {
        cws_log(loop, 0, "libwebsockets refuses the %s", uses_tls(loop) ? "certificate or key" : "vhost");
    } else if (uses_tls(loop) && is_expired(vhost)) {
        cws_log(loop, 0, "the certificate in %s has expired", loop->options.tls_certificate_path);
        lws_vhost_destroy(vhost);
        return NULL;
    }
    return vhost;
}

// Made at the first cws_connect: a server that never connects does not pay for it.
struct lws_vhost *cws_client_vhost(cws_loop *loop, bool tls) {
    struct lws_vhost **vhost = tls ? &loop->client_tls : &loop->client;
    if (*vhost != NULL) { return *vhost; }
    struct lws_context_creation_info info = common(loop);
    info.vhost_name = tls ? "client-tls" : "client";
    info.port = CONTEXT_PORT_NO_LISTEN;
    if (tls) {
        info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_client_options_set = SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1;
    }
    *vhost = lws_create_vhost(loop->lws, &info);
    return *vhost;
}

int cws_context_create(cws_loop *loop) {
    loop->protocols = make_protocols(loop);
    if (loop->protocols == NULL) { return -1; }
    void *foreign_loops[] = {&loop->uv};
    struct lws_context_creation_info info = common(loop);
    info.options = LWS_SERVER_OPTION_LIBUV            // epoll; the built-in poll() costs O(connections) per event
                   | LWS_SERVER_OPTION_EXPLICIT_VHOSTS
                   | LWS_SERVER_OPTION_VALIDATE_UTF8  // L20
                   | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT
                   | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME;
    info.foreign_loops = foreign_loops;
    info.user = loop;
    info.pt_serv_buf_size = loop->options.service_buffer_bytes;
    info.max_http_header_data2 = CWS_HEADER_BYTES_MAX;
    // Header tables are allocated on demand; a smaller pool would let a few slow requests block all others.
    info.max_http_header_pool2 = 0;
    info.count_threads = 1;
    loop->lws = lws_create_context(&info);
    if (loop->lws == NULL) {
        cws_log(loop, 0, "libwebsockets cannot create a context (is libwebsockets-evlib-uv installed?)");
        return -1;
    }
    // libwebsockets sizes its table of descriptors by the limit in force now, and refuses higher ones later.
    long limit = sysconf(_SC_OPEN_MAX);
    loop->fd_ceiling = limit < 0 || limit > 10000000 ? 2560 : (int)limit;
    loop->server = make_server_vhost(loop, "server");
    return loop->server == NULL ? -1 : 0;
}

// lws_tls_cert_updated reads the same two paths into the live SSL_CTX: open connections keep what they have, the
// next handshake gets the new pair. It reports no failure and leaves half a pair behind on a bad file, so the pair
// is tried first on a vhost that nobody uses.
int cws_reload_tls(cws_loop *loop) {
    if (!uses_tls(loop) || loop->torn_down) { return -1; }
    cws_loop *previous = cws_log_enter(loop);
    struct lws_vhost *trial = make_server_vhost(loop, "trial");
    if (trial != NULL) {
        lws_vhost_destroy(trial);
        lws_tls_cert_updated(loop->lws, loop->options.tls_certificate_path, loop->options.tls_key_path, NULL, 0, NULL,
                             0);
    }
    cws_log_leave(previous);
    return trial == NULL ? -1 : 0;
}
