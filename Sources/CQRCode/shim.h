// The system's libqrencode (ISO/IEC 18004), for the pictures that authenticator apps read.
#include <qrencode.h>
