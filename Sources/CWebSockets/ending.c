// ending.c: the end of the process, for OpenSSL.
//
// OpenSSL frees all that it has in an exit handler, and with it what each thread has of it. A thread that ends at that
// moment frees its part as well ("double free or corruption"), and one that goes on uses freed memory. Threads are
// there at each exit: loops, the store and the desk of passwords are told to end and not waited for, and Swift's pool
// never ends. Nor can they be waited for: they are Foundation's, and their destructors run after the last point that
// our code can observe.
//
// So no handler is installed, and the kernel frees the memory with the process. OpenSSL takes this option at its first
// call only, so the call is made before main, in every program that has this target in it.
#include <openssl/crypto.h>
#include <stddef.h>

__attribute__((constructor)) static void leave_openssl_as_it_is_at_exit(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
