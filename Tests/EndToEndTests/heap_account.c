// Preloaded into a server: appends glibc's account of its heap (malloc_info) to $HEAP_ACCOUNT, once a minute.
// What is free there, and what only looks like growth because arenas keep it, cannot be seen from outside.

#define _GNU_SOURCE
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *keep_account(void *path) {
  for (;;) {
    poll(NULL, 0, 60000);
    FILE *file = fopen(path, "a");
    if (!file) continue;
    fprintf(file, "<!-- %ld -->\n", (long)time(NULL));
    malloc_info(0, file);
    fclose(file);
  }
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  static char path[4096];
  const char *wanted = getenv("HEAP_ACCOUNT");
  if (!wanted || snprintf(path, sizeof path, "%s", wanted) >= (int)sizeof path) return;
  // The server's signals are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, keep_account, path) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
