// The system's libjpeg-turbo, for turning pictures as their EXIF orientation says, without loss.
#include <turbojpeg.h>
