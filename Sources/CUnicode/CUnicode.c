#define _DEFAULT_SOURCE  // explicit_bzero
#include "CUnicode.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

// UTF-16 units: UTF-8 never has fewer bytes than UTF-16 has units.
enum { UNITS_MAX = CUNICODE_BYTES_MAX, UNITS_OUT = CUNICODE_OUT_BYTES / 3 };

// Opening the tables of look-alikes takes a millisecond. They are only read afterwards, so that all threads share them.
static USpoofChecker *checker;
static pthread_once_t checker_once = PTHREAD_ONCE_INIT;

static void open_checker(void) {
    UErrorCode status = U_ZERO_ERROR;
    checker = uspoof_open(&status);
    if (U_FAILURE(status)) { checker = NULL; }
}

int32_t cunicode_version(void) {
    UVersionInfo version;
    u_getVersion(version);
    return (int32_t)version[0] << 8 | version[1];
}

// Returns how many units, or -1. Unlike ICU's own default, bytes that are no UTF-8 are an error and not U+FFFD.
static int32_t read_text(const char *text, int32_t length, UChar *units) {
    if (length < 0 || length > CUNICODE_BYTES_MAX) { return -1; }
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = 0;
    u_strFromUTF8(units, UNITS_MAX, &count, text, length, &status);
    return U_FAILURE(status) ? -1 : count;
}

static int32_t write_text(const UChar *units, int32_t count, char *out, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;
    u_strToUTF8(out, capacity, &length, units, count, &status);
    return U_FAILURE(status) ? -1 : length;
}

// What a letter of full or half width stands for, else the letter itself. Returns how many units, or -1.
static int32_t map_width(const UNormalizer2 *compatible, UChar32 letter, UChar *units, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t type = u_getIntPropertyValue(letter, UCHAR_DECOMPOSITION_TYPE);
    if (type == U_DT_WIDE || type == U_DT_NARROW) {
        int32_t count = unorm2_getRawDecomposition(compatible, letter, units, capacity, &status);
        if (U_FAILURE(status)) { return -1; }
        if (count >= 0) { return count; }
    }
    UBool failed = false;
    int32_t count = 0;
    U16_APPEND(units, count, capacity, letter, failed);
    return failed ? -1 : count;
}

int32_t cunicode_case_mapped(const char *text, int32_t length, char *out, int32_t capacity) {
    UChar given[UNITS_MAX];
    UChar small[UNITS_MAX * 3];
    UChar composed[UNITS_MAX * 9];  // Normalization form C has at most three times the units.
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *compatible = unorm2_getNFKCInstance(&status);
    const UNormalizer2 *canonical = unorm2_getNFCInstance(&status);
    int32_t count = read_text(text, length, given);
    if (count < 0 || U_FAILURE(status)) { return -1; }
    int32_t end = 0;
    for (int32_t next = 0; next < count;) {
        UChar32 letter;
        U16_NEXT(given, next, count, letter);  // Never half of a pair: it was read as UTF-8.
        UChar mapped[8];
        int32_t units = map_width(compatible, letter, mapped, 8);
        if (units < 0) { return -1; }
        // By itself, so that ICU sees no end of a word; "" is no language's rules.
        end += u_strToLower(small + end, UNITS_MAX * 3 - end, mapped, units, "", &status);
        // Text without a terminating zero is a warning, and none of ours.
        if (U_FAILURE(status)) { return -1; }
        status = U_ZERO_ERROR;
    }
    int32_t normal = unorm2_normalize(canonical, small, end, composed, UNITS_MAX * 9, &status);
    return U_FAILURE(status) ? -1 : write_text(composed, normal, out, capacity);
}

int32_t cunicode_skeleton(const char *text, int32_t length, char *out, int32_t capacity) {
    UChar given[UNITS_MAX];
    UChar skeleton[UNITS_OUT];
    pthread_once(&checker_once, open_checker);
    int32_t count = read_text(text, length, given);
    if (count < 0 || checker == NULL) { return -1; }
    UErrorCode status = U_ZERO_ERROR;
    int32_t units = uspoof_getSkeleton(checker, 0, given, count, skeleton, UNITS_OUT, &status);
    return U_FAILURE(status) ? -1 : write_text(skeleton, units, out, capacity);
}

// Of the exceptions of RFC 8264 (9.6) those that are letters or digits and not what their category says.
static bool is_excepted(UChar32 letter) {
    return letter == 0x0640 || letter == 0x07fa || letter == 0x302e || letter == 0x302f || letter == 0x303b
           || (letter >= 0x3031 && letter <= 0x3035);
}

// Whether normalization form KC makes something else of it, as of ligatures and Roman numerals (RFC 8264 9.17).
static bool has_other_form(UChar32 letter) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *compatible = unorm2_getNFKCInstance(&status);
    UChar units[2];
    int32_t count = 0;
    U16_APPEND_UNSAFE(units, count, letter);
    return !unorm2_isNormalized(compatible, units, count, &status) || U_FAILURE(status);
}

int cunicode_is_identifier(uint32_t letter) {
    UChar32 c = (UChar32)letter;
    if (letter > 0x10ffff) { return 0; }
    if (c == 0x3007) { return 1; }  // A zero that counts as a letter of its script, by exception.
    uint32_t allowed = U_GC_LL_MASK | U_GC_LU_MASK | U_GC_LO_MASK | U_GC_LM_MASK | U_GC_ND_MASK | U_GC_MN_MASK
                       | U_GC_MC_MASK;
    if ((U_GET_GC_MASK(c) & allowed) == 0 || is_excepted(c)) { return 0; }
    // Not drawn at all, such as U+3164: two names would look like one.
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) { return 0; }
    // Parts of Korean syllables (RFC 8264 9.9).
    int32_t syllable = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
    if (syllable == U_HST_LEADING_JAMO || syllable == U_HST_VOWEL_JAMO || syllable == U_HST_TRAILING_JAMO) { return 0; }
    return has_other_form(c) ? 0 : 1;
}

// What `cunicode_opaque` writes, in units of `composed`, or -1.
static int32_t compose_opaque(UChar *given, int32_t count, UChar *composed, int32_t capacity) {
    // Every space of Unicode is one unit (Zs has none beyond U+FFFF).
    for (int32_t place = 0; place < count; place++) {
        if (u_charType(given[place]) == U_SPACE_SEPARATOR) { given[place] = 0x20; }
    }
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *canonical = unorm2_getNFCInstance(&status);
    int32_t normal = unorm2_normalize(canonical, given, count, composed, capacity, &status);
    return U_FAILURE(status) ? -1 : normal;
}

int32_t cunicode_opaque(const char *text, int32_t length, uint32_t *out, int32_t capacity) {
    UChar given[UNITS_MAX];
    UChar composed[UNITS_MAX * 3];  // Normalization form C has at most three times the units.
    int32_t letters = -1;
    int32_t count = read_text(text, length, given);
    int32_t units = count < 0 ? -1 : compose_opaque(given, count, composed, UNITS_MAX * 3);
    if (units >= 0) {
        letters = 0;
        for (int32_t next = 0; next < units && letters >= 0;) {
            UChar32 letter;
            U16_NEXT(composed, next, units, letter);
            if (letters == capacity) {
                letters = -1;
            } else {
                out[letters++] = (uint32_t)letter;
            }
        }
    }
    explicit_bzero(given, sizeof given);
    explicit_bzero(composed, sizeof composed);
    return letters;
}

static bool is_virama(UChar32 letter) { return u_getCombiningClass(letter) == 9; }

static bool is_script(UChar32 letter, UScriptCode script) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript(letter, &status) == script && U_SUCCESS(status);
}

// The joining type of the next letter in a direction that is not transparent (RFC 5892 A.1); -1 at the end.
static int32_t joining_beside(const uint32_t *letters, int32_t count, int32_t place, int32_t step) {
    for (int32_t at = place + step; at >= 0 && at < count; at += step) {
        int32_t type = u_getIntPropertyValue((UChar32)letters[at], UCHAR_JOINING_TYPE);
        if (type != U_JT_TRANSPARENT) { return type; }
    }
    return -1;
}

static bool has_between(const uint32_t *letters, int32_t count, uint32_t first, uint32_t last) {
    for (int32_t place = 0; place < count; place++) {
        if (letters[place] >= first && letters[place] <= last) { return true; }
    }
    return false;
}

static bool has_japanese(const uint32_t *letters, int32_t count) {
    for (int32_t place = 0; place < count; place++) {
        UChar32 c = (UChar32)letters[place];
        if (is_script(c, USCRIPT_HIRAGANA) || is_script(c, USCRIPT_KATAKANA) || is_script(c, USCRIPT_HAN)) {
            return true;
        }
    }
    return false;
}

// Letters that depend on what stands beside them (RFC 5892, appendix A): 1 or 0; -1 = the letter is none of them.
static int in_context(const uint32_t *letters, int32_t count, int32_t place) {
    uint32_t letter = letters[place];
    UChar32 before = place > 0 ? (UChar32)letters[place - 1] : 0;
    UChar32 after = place + 1 < count ? (UChar32)letters[place + 1] : 0;
    if (letter >= 0x0660 && letter <= 0x0669) { return !has_between(letters, count, 0x06f0, 0x06f9); }
    if (letter >= 0x06f0 && letter <= 0x06f9) { return !has_between(letters, count, 0x0660, 0x0669); }
    switch (letter) {
    case 0x00b7: return before == 'l' && after == 'l';
    case 0x0375: return is_script(after, USCRIPT_GREEK);
    case 0x05f3:
    case 0x05f4: return is_script(before, USCRIPT_HEBREW);
    case 0x30fb: return has_japanese(letters, count);
    case 0x200d: return is_virama(before);
    case 0x200c: {
        int32_t left = joining_beside(letters, count, place, -1);
        int32_t right = joining_beside(letters, count, place, 1);
        bool joins_left = left == U_JT_LEFT_JOINING || left == U_JT_DUAL_JOINING;
        bool joins_right = right == U_JT_RIGHT_JOINING || right == U_JT_DUAL_JOINING;
        return is_virama(before) || (joins_left && joins_right);
    }
    default: return -1;
    }
}

// In the order of RFC 8264 8, without the categories that make no difference to the FreeformClass.
int cunicode_is_freeform(const uint32_t *letters, int32_t count, int32_t place) {
    if (place < 0 || place >= count || letters[place] > 0x10ffff) { return 0; }
    UChar32 c = (UChar32)letters[place];
    int contextual = in_context(letters, count, place);
    if (contextual >= 0) { return contextual; }
    if (is_excepted(c)) { return 0; }
    int32_t syllable = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
    if (syllable == U_HST_LEADING_JAMO || syllable == U_HST_VOWEL_JAMO || syllable == U_HST_TRAILING_JAMO) { return 0; }
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) { return 0; }
    // Letters, marks, numbers, punctuation, symbols, spaces. Controls, format, private use, surrogates, unassigned,
    // noncharacters and the separators of lines and paragraphs are not among them.
    uint32_t allowed = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK | U_GC_P_MASK | U_GC_S_MASK | U_GC_ZS_MASK;
    return (U_GET_GC_MASK(c) & allowed) != 0;
}

int cunicode_is_mark(uint32_t letter) {
    return letter <= 0x10ffff && (U_GET_GC_MASK((UChar32)letter) & U_GC_M_MASK) != 0;
}

// Han, the scripts of Japanese and Korean, and those that come from Brahmi: a character is a syllable or a word.
static const UScriptCode dense[] = {
    USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_HANGUL, USCRIPT_DEVANAGARI, USCRIPT_BENGALI,
    USCRIPT_GURMUKHI, USCRIPT_GUJARATI, USCRIPT_ORIYA, USCRIPT_TAMIL, USCRIPT_TELUGU, USCRIPT_KANNADA,
    USCRIPT_MALAYALAM, USCRIPT_SINHALA, USCRIPT_THAI, USCRIPT_LAO, USCRIPT_TIBETAN, USCRIPT_MYANMAR, USCRIPT_KHMER,
    USCRIPT_TAGALOG, USCRIPT_HANUNOO, USCRIPT_BUHID, USCRIPT_TAGBANWA, USCRIPT_LIMBU, USCRIPT_TAI_LE,
    USCRIPT_NEW_TAI_LUE, USCRIPT_BUGINESE, USCRIPT_LANNA, USCRIPT_BALINESE, USCRIPT_SUNDANESE, USCRIPT_BATAK,
    USCRIPT_LEPCHA, USCRIPT_SYLOTI_NAGRI, USCRIPT_PHAGS_PA, USCRIPT_SAURASHTRA, USCRIPT_REJANG, USCRIPT_JAVANESE,
    USCRIPT_CHAM, USCRIPT_TAI_VIET, USCRIPT_MEITEI_MAYEK, USCRIPT_BRAHMI, USCRIPT_KAITHI, USCRIPT_CHAKMA,
    USCRIPT_SHARADA, USCRIPT_TAKRI, USCRIPT_KHOJKI, USCRIPT_KHUDAWADI, USCRIPT_GRANTHA, USCRIPT_NEWA, USCRIPT_TIRHUTA,
    USCRIPT_SIDDHAM, USCRIPT_MODI, USCRIPT_AHOM, USCRIPT_DOGRA, USCRIPT_BHAIKSUKI, USCRIPT_MARCHEN,
    USCRIPT_NANDINAGARI, USCRIPT_ZANABAZAR_SQUARE, USCRIPT_SOYOMBO, USCRIPT_MAKASAR, USCRIPT_MULTANI,
    USCRIPT_MAHAJANI, USCRIPT_DIVES_AKURU, USCRIPT_KAWI, USCRIPT_GUNJALA_GONDI, USCRIPT_MASARAM_GONDI,
};

int cunicode_is_letter(uint32_t letter) {
    return letter <= 0x10ffff && (U_GET_GC_MASK((UChar32)letter) & (U_GC_L_MASK | U_GC_NL_MASK)) != 0;
}

int cunicode_is_dense(uint32_t letter) {
    if (letter > 0x10ffff) { return 0; }
    for (size_t index = 0; index < sizeof dense / sizeof *dense; index++) {
        // Also of letters that several scripts share, such as the sign for a long vowel in Japanese.
        if (uscript_hasScript((UChar32)letter, dense[index])) { return 1; }
    }
    return 0;
}

cunicode_direction cunicode_direction_of(uint32_t letter) {
    switch (u_charDirection((UChar32)letter)) {
    case U_LEFT_TO_RIGHT: return CUNICODE_LEFT_TO_RIGHT;
    case U_RIGHT_TO_LEFT:
    case U_RIGHT_TO_LEFT_ARABIC: return CUNICODE_RIGHT_TO_LEFT;
    case U_EUROPEAN_NUMBER: return CUNICODE_NUMBER;
    case U_ARABIC_NUMBER: return CUNICODE_ARABIC_NUMBER;
    case U_DIR_NON_SPACING_MARK: return CUNICODE_MARK;
    case U_EUROPEAN_NUMBER_SEPARATOR:
    case U_COMMON_NUMBER_SEPARATOR:
    case U_EUROPEAN_NUMBER_TERMINATOR:
    case U_OTHER_NEUTRAL:
    case U_BOUNDARY_NEUTRAL: return CUNICODE_NEUTRAL;
    default: return CUNICODE_OTHER;
    }
}
