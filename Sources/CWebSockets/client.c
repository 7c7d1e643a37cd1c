// client.c: WebSockets that we open, on the same loop and with the same callbacks.
//
// Client connections use a vhost of their own. A numeric address is connected without blocking; a name is looked up
// by libwebsockets with getaddrinfo, which blocks the whole loop (its asynchronous DNS is not built in Debian).
// Every frame that a client sends costs one more system call than a server's: libwebsockets reads four random bytes
// for the mask. Received bytes go through libwebsockets one by one. Good for tens of thousands of messages a second.
//
// cws_connect must not be called while a message's bytes are still needed: the handshake may be built in the buffer
// that they lie in.
#include "private.h"

#include <stdio.h>
#include <string.h>

// Once per cws_connect that returned 0 and never came to on_open.
void cws_connect_failed(cws_connection *c, const char *reason, size_t length) {
    if (c->state != CWS_CONNECTING || c->failure_told) { return; }
    c->failure_told = true;
    char text[128];
    snprintf(text, sizeof text, "%.*s", (int)(reason == NULL ? 0 : length), reason == NULL ? "" : reason);
    CWS_CALL(c->loop, on_connect_failed, c->tag, *text == 0 ? "failed" : text);
}

// libwebsockets only says "response not 101"; the server's status says more.
void cws_connect_refused(cws_connection *c, struct lws *wsi, const char *reason, size_t length) {
    char status[16];
    unsigned code = lws_http_client_http_response(wsi);
    if (code == 0 || code == 101) {
        cws_connect_failed(c, reason, length);
    } else {
        cws_connect_failed(c, status, (size_t)snprintf(status, sizeof status, "HTTP %u", code % 1000));
    }
}

int cws_connect(cws_loop *loop, const char *host, uint16_t port, const char *path, const char *subprotocol, int tls,
                int tls_allow_self_signed, uint64_t tag) {
    if (loop->torn_down || loop->connection_count >= loop->options.connections_max) { return -1; }
    struct lws_vhost *vhost = cws_client_vhost(loop, tls != 0);
    if (vhost == NULL) { return -1; }
    char authority[300];
    snprintf(authority, sizeof authority, strchr(host, ':') != NULL ? "[%s]:%u" : "%s:%u", host, port);

    cws_connection *c = cws_connection_take(loop);
    c->client = true;
    c->state = CWS_CONNECTING;
    c->tag = tag;
    c->tls = tls != 0;
    struct lws *wsi = NULL;
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof info);
    info.context = loop->lws;
    info.vhost = vhost;
    info.address = host;
    info.port = port;
    info.path = path;
    info.host = authority;
    info.protocol = subprotocol;
    info.alpn = "http/1.1";
    info.opaque_user_data = c;
    info.userdata = c;
    info.pwsi = &wsi;
    if (tls) {
        info.ssl_connection = LCCSCF_USE_SSL;
        if (tls_allow_self_signed) {
            info.ssl_connection |=
                LCCSCF_ALLOW_SELFSIGNED | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK | LCCSCF_ALLOW_EXPIRED;
        }
    }
    // Callbacks during this call are ignored (c->wsi is still NULL): a failure is told by the return value.
    if (lws_client_connect_via_info(&info) == NULL || wsi == NULL) {
        cws_connection_release(c);
        return -1;
    }
    c->wsi = wsi;
    cws_deadline(c, (uint64_t)loop->options.handshake_seconds_max * 1000);
    return 0;
}
