// CUnicode: the part of ICU by which Cairn compares names and prepares passwords, behind plain C.
//
// A text is UTF-8 of at most CUNICODE_BYTES_MAX bytes, a letter is a Unicode scalar value. A function that writes
// returns how many bytes it wrote, or -1: the text is too long or no UTF-8, `out` has no room, or ICU's tables are not
// there. Nothing is kept or handed out. All functions may be called on any thread.
#ifndef CUNICODE_H
#define CUNICODE_H

#include <stdint.h>

// Longest name in bytes: the settings allow 64 letters, and a letter has at most 16 bytes.
#define CUNICODE_BYTES_MAX 1024
// Room for what any text becomes: the longest skeleton of one letter has 18, of three bytes each.
#define CUNICODE_OUT_BYTES 65536

// Which tables answer: ICU's version, major and minor, as 0xMMmm.
int32_t cunicode_version(void);

// Width-mapped, in small letters, in normalization form C: rules 1, 3 and 4 of UsernameCaseMapped (RFC 8265 3.3.2).
// Every letter is mapped by itself: a sigma at the end of a word is that of any other place.
int32_t cunicode_case_mapped(const char *text, int32_t length, char *out, int32_t capacity);

// The skeleton of UTS 39: two texts that look alike have one. For comparing only, never for people to see.
int32_t cunicode_skeleton(const char *text, int32_t length, char *out, int32_t capacity);

// 1 for a letter, mark or digit that the IdentifierClass of RFC 8264 allows (4.2): drawn, and no other form of another.
int cunicode_is_identifier(uint32_t letter);

// The scalar values of a text with its spaces as U+0020, in normalization form C: rules 2 and 4 of OpaqueString (RFC
// 8265 4.2.2). For passwords: what it needs in between is wiped. Returns how many letters it wrote, or -1.
int32_t cunicode_opaque(const char *text, int32_t length, uint32_t *out, int32_t capacity);

// 1 if the letter at `place` may stand there in a text of the FreeformClass (RFC 8264 4.3 and 8), with the rules about
// neighbours of RFC 5892, appendix A.
int cunicode_is_freeform(const uint32_t *letters, int32_t count, int32_t place);

// 1 for a mark, which is drawn on the letter before it.
int cunicode_is_mark(uint32_t letter);

// 1 for what Unicode calls a letter, which a mark, a digit and a sign are not.
int cunicode_is_letter(uint32_t letter);

// 1 if the letter belongs to Han, Hiragana, Katakana, Hangul or a script that comes from Brahmi (PRF-3).
int cunicode_is_dense(uint32_t letter);

// What the rule about directions asks of a letter (RFC 5893 2).
typedef enum {
    CUNICODE_LEFT_TO_RIGHT = 0,  // L
    CUNICODE_RIGHT_TO_LEFT,      // R, AL
    CUNICODE_NUMBER,             // EN
    CUNICODE_ARABIC_NUMBER,      // AN
    CUNICODE_MARK,               // NSM
    CUNICODE_NEUTRAL,            // ES, CS, ET, ON, BN
    CUNICODE_OTHER               // what no name of either direction may have
} cunicode_direction;

cunicode_direction cunicode_direction_of(uint32_t letter);

#endif
