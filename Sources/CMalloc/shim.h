// What the heap of the C library has free, and giving it back to the system.
#include <malloc.h>
