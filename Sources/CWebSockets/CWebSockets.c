#include "CWebSockets.h"
void cairn_placeholder(void) {}
