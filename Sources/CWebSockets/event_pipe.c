// event_pipe.c: a descriptor that libwebsockets closes twice (L36).
//
// lws_context_destroy closes the eventfd of its event pipe, and when libuv then reports the pipe's handle as closed,
// libwebsockets closes the same number again. In between another thread may have been given it: a socket, or the
// database. A process that goes on after a loop has ended (tests, an app with the client library) loses that file.
//
// So the second close is made where it hits nobody: in a thread that has left the process's descriptor table. What else
// libwebsockets does there is to free memory, while the loop's own thread waits.
#include "private.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

// Of all handles that are polled only the event pipe's is no socket.
static void look_for_pipe(uv_handle_t *handle, void *found) {
    int fd;
    struct stat status;
    if (handle->type != UV_POLL || uv_fileno(handle, &fd) != 0 || fstat(fd, &status) != 0) { return; }
    if (!S_ISSOCK(status.st_mode)) { *(uv_handle_t **)found = handle; }
}

uv_handle_t *cws_event_pipe_find(cws_loop *loop) {
    uv_handle_t *found = NULL;
    uv_walk(&loop->uv, look_for_pipe, &found);
    return found;
}

static void *close_elsewhere(void *argument) {
    uv_handle_t *handle = argument;
    cws_loop *loop = (cws_loop *)((char *)handle->loop - offsetof(cws_loop, uv));
    cws_loop *previous = cws_log_enter(loop);
    // If unshare fails, the second close may hit another descriptor, as without this file: no reason to abort.
    (void)unshare(CLONE_FILES);
    loop->event_pipe_closed(handle);
    cws_log_leave(previous);
    return NULL;
}

static void on_pipe_closed(uv_handle_t *handle) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, close_elsewhere, handle) == 0) {
        pthread_join(thread, NULL);
    } else {
        close_elsewhere(handle);
    }
}

void cws_event_pipe_guard(cws_loop *loop, uv_handle_t *pipe) {
    if (pipe == NULL || !uv_is_closing(pipe)) { return; }
    loop->event_pipe_closed = pipe->close_cb;
    pipe->close_cb = on_pipe_closed;
}
