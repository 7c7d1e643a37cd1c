// What a process asks of the kernel for itself by functions with a variable number of arguments, which Swift cannot
// call.
#pragma once

#ifdef __linux__
#include <sys/prctl.h>

// No core dump of this process is made, and only root reads its memory (prctl(2)). 0 = done.
static inline int cprocess_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
#else
static inline int cprocess_forbid_dumps(void) { return 0; }
#endif
