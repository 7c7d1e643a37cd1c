// CEmbedded: files that are in the program itself, so that a program that is copied alone has them.
//
// A compiler of C takes a file's bytes as they are (#embed, C23 6.10.4). As a literal of Swift each byte is an
// instruction that every pass of the optimizer visits: 180 KB took half a minute.
#ifndef CEMBEDDED_H
#define CEMBEDDED_H

#include <stdint.h>

struct cembedded_file {
    // A name of EmbeddedFiles.Folder.
    const char *folder;
    // Without a folder, for instance main.js.
    const char *name;
    const unsigned char *bytes;
    int64_t count;
};

// The files one after another, sorted by folder and name; NULL after the last.
const struct cembedded_file *cembedded_file(int64_t number);

#endif
