// listener.c: listening sockets, accept, admission.
//
// L14: libwebsockets' listen sharing does nothing in Debian's build, so each loop has its own listening socket with
// SO_REUSEPORT on the shared port; the kernel spreads connections over them. L13: after EMFILE a listening socket
// stays readable and libwebsockets spins (84-100 % CPU); ours pauses. An admitted socket is handed to libwebsockets
// on the loop's own thread (lws_adopt_descriptor_vhost_via_info).
#include "private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static cws_address address_of(const struct sockaddr_storage *peer) {
    cws_address address;
    memset(&address, 0, sizeof address);
    if (peer->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)peer;
        memcpy(address.bytes, &six->sin6_addr, 16);
        address.port = ntohs(six->sin6_port);
    } else if (peer->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)peer;
        address.bytes[10] = 0xff;
        address.bytes[11] = 0xff;
        memcpy(address.bytes + 12, &four->sin_addr, 4);
        address.port = ntohs(four->sin_port);
    }
    return address;
}

// Hands the socket to libwebsockets, which owns it from here on, also when it fails.
static void adopt(cws_loop *loop, int fd, const cws_address *address) {
    cws_connection *c = cws_connection_take(loop);
    c->address = *address;
    c->admitted = true;
    c->state = CWS_HTTP;
    c->tls = loop->options.tls_certificate_path != NULL;
    cws_deadline(c, (uint64_t)loop->options.handshake_seconds_max * 1000);  // L7, B8: nothing the peer sends renews it
    lws_adopt_desc_t description;
    memset(&description, 0, sizeof description);
    description.vh = loop->server;
    description.type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL;
    description.fd.sockfd = fd;
    description.opaque = c;
    loop->adopting = c;  // so that WSI_CREATE knows whose it is
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&description);
    loop->adopting = NULL;
    // Without WSI_CREATE there will be no WSI_DESTROY, which else releases the connection.
    if (wsi == NULL && c->wsi == NULL) { cws_connection_release(c); }
    if (wsi != NULL && c->wsi == wsi) { cws_heads_watch(c); }
}

static void pause_accepting(cws_loop *loop, uint64_t ms) {
    for (cws_listener *l = loop->listeners; l != NULL; l = l->next) { uv_poll_stop(&l->poll); }
    uv_timer_start(&loop->accept_pause, cws_listeners_resume, ms, 0);
}

// No room: answers 503 in plain HTTP with a time to come back, spread so that clients do not all come at once (B23).
// Input that has arrived is read first: closing with unread input would reset the connection and lose the answer.
// The answer costs more than the rest of an accept, so in a flood most connections are reset without one.
static void turn_away(cws_loop *loop, int fd) {
    uint64_t second = cws_now_ms(loop) / 1000;
    if (second != loop->turned_away_second) { loop->turned_away = 0; }
    loop->turned_away_second = second;
    if (loop->turned_away++ >= CWS_TURNED_AWAY_KINDLY) {
        struct linger none = {.l_onoff = 1, .l_linger = 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    } else if (loop->options.tls_certificate_path == NULL) {
        char text[160];
        int length = snprintf(text, sizeof text,
                              "HTTP/1.1 503 Service Unavailable\r\nRetry-After: %d\r\nContent-Length: 0\r\n"
                              "Connection: close\r\n\r\n",
                              cws_retry_seconds());
        (void)!send(fd, text, (size_t)length, MSG_NOSIGNAL);
        (void)!recv(fd, loop->scratch, CWS_SCRATCH_BYTES, 0);
        shutdown(fd, SHUT_WR);
    }
    close(fd);
}

static void on_acceptable(uv_poll_t *poll, int status, int events) {
    (void)events;
    cws_listener *listener = poll->data;
    cws_loop *loop = listener->loop;
    if (status < 0) { return; }
    uint32_t turned_away = loop->turned_away;
    uint64_t until = cws_now_us() + CWS_ACCEPT_MICROSECONDS;
    for (int i = 0; i < CWS_ACCEPT_BATCH && (i == 0 || cws_now_us() < until); i++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        int fd = accept4(listener->fd, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED) { continue; }
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                // L13. The waiting connections stay in the backlog: the kernel answers for us until there is room.
                cws_reject_count(loop, CWS_REJECT_DESCRIPTORS);
                pause_accepting(loop, CWS_ACCEPT_PAUSE_MS);
                return;
            }
            break;  // the backlog is empty
        }
        cws_address address = address_of(&peer);
        if (fd >= loop->fd_ceiling) {
            cws_reject_count(loop, CWS_REJECT_DESCRIPTORS);
            turn_away(loop, fd);
        } else {
            int verdict = loop->connection_count >= loop->options.connections_max
                              ? CWS_REJECT_ADMISSION
                              : loop->call.on_admit(loop->context, &address);
            if (verdict == CWS_ADMITTED) {
                adopt(loop, fd, &address);
            } else {
                cws_reject_count(loop, (cws_reject)verdict);
                turn_away(loop, fd);
            }
        }
        if (loop->listeners == NULL) { return; }  // on_admit may have called cws_unlisten
    }
    // In a flood the wake-up for each connection costs most, so a pause collects several.
    if (loop->turned_away > turned_away && loop->turned_away >= CWS_TURNED_AWAY_FLOOD) {
        pause_accepting(loop, CWS_FLOOD_PAUSE_MS);
    }
}

void cws_listeners_resume(uv_timer_t *timer) {
    cws_loop *loop = timer->data;
    for (cws_listener *l = loop->listeners; l != NULL; l = l->next) {
        uv_poll_start(&l->poll, UV_READABLE, on_acceptable);
    }
}

static int start(cws_loop *loop, int fd) {
    int on = 1;
    int unsent = CWS_NOTSENT_LOWAT;
    unsigned timeout = loop->options.unacknowledged_seconds_max * 1000;
    // Accepted sockets inherit these three on Linux, which saves three system calls per connection. The kernel's
    // autotuning of SO_SNDBUF is left alone; TCP_NOTSENT_LOWAT bounds what is queued beyond what is in flight, so a
    // slow reader has stale bytes by the 100 kB and not by the megabyte. TCP_USER_TIMEOUT also runs while a living
    // peer's window is closed, so it has to outlast every deadline of the caller's for slow readers: those end a
    // connection with a word and a count, the kernel with neither. They fail on Unix sockets, harmlessly.
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
    cws_listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL) { return -ENOMEM; }
    listener->loop = loop;
    listener->fd = fd;
    listener->poll.data = listener;
    int error = uv_poll_init(&loop->uv, &listener->poll, fd);
    if (error != 0) {
        free(listener);
        return error;
    }
    listener->next = loop->listeners;
    loop->listeners = listener;
    uv_poll_start(&listener->poll, UV_READABLE, on_acceptable);
    return 0;
}

static int bound_port(int fd) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0) { return -errno; }
    if (address.ss_family == AF_INET) { return ntohs(((struct sockaddr_in *)&address)->sin_port); }
    if (address.ss_family == AF_INET6) { return ntohs(((struct sockaddr_in6 *)&address)->sin6_port); }
    return 0;
}

// NULL when it is no numeric address. Free with freeaddrinfo.
static struct addrinfo *numeric_address(const char *address, uint16_t port) {
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    return getaddrinfo(address, service, &hints, &found) == 0 ? found : NULL;
}

int cws_port_error(const char *address, uint16_t port) {
    struct addrinfo *found = numeric_address(address, port);
    if (found == NULL) { return -EINVAL; }
    // Without SO_REUSEPORT: any other listener on the port, willing to share or not, makes bind fail.
    int on = 1;
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0
                         || bind(fd, found->ai_addr, found->ai_addrlen) != 0
                     ? -errno
                     : 0;
    if (fd >= 0) { close(fd); }
    freeaddrinfo(found);
    return result;
}

int cws_listen(cws_loop *loop, const char *address, uint16_t port, int backlog) {
    if (loop->torn_down) { return -EINVAL; }
    struct addrinfo *found = numeric_address(address, port);
    if (found == NULL) { return -EINVAL; }
    int on = 1;
    int result = 0;
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0
        || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0
        || bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, backlog) != 0) {
        result = -errno;
    } else {
        result = start(loop, fd);
    }
    freeaddrinfo(found);
    if (result == 0) { return bound_port(fd); }
    if (fd >= 0) { close(fd); }
    return result;
}

int cws_listen_fd(cws_loop *loop, int fd) {
    if (loop->torn_down) { return -EINVAL; }
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
        return -errno;
    }
    int result = start(loop, fd);
    return result == 0 ? bound_port(fd) : result;
}

static void on_listener_closed(uv_handle_t *handle) {
    cws_listener *listener = handle->data;
    close(listener->fd);
    free(listener);
}

void cws_set_unacknowledged(cws_loop *loop, uint32_t seconds) {
    unsigned timeout = seconds * 1000;
    loop->options.unacknowledged_seconds_max = seconds;
    for (cws_listener *l = loop->listeners; l != NULL; l = l->next) {
        setsockopt(l->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
    }
}

void cws_unlisten(cws_loop *loop) {
    if (loop->torn_down) { return; }
    uv_timer_stop(&loop->accept_pause);
    while (loop->listeners != NULL) {
        cws_listener *listener = loop->listeners;
        loop->listeners = listener->next;
        uv_poll_stop(&listener->poll);
        uv_close((uv_handle_t *)&listener->poll, on_listener_closed);
    }
}
