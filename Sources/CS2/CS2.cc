#include "CS2.h"
extern "C" int cs2_placeholder(void) { return 1; }
