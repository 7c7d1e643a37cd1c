// Prices: written in the money's own form for the reader, and read as people type them.

/** Characters of a typed price; what is longer is none. */
const CHARACTERS_MAX = 40;
/** The first digits of scripts in which people type, beside ASCII: Devanagari, Arabic, Persian. */
const ZEROS = [0x0966, 0x0660, 0x06f0];
/** A number, with the currency before or behind it, as a sign, a short word, or both. */
const TYPED = new RegExp(`^(?:\\p{L}{1,3}\\.?)?\\s?\\p{Sc}?\\s*(?:(\\p{Nd}[\\p{Nd}\\s.,'’٫٬]*)|([.,]\\p{Nd}{1,2}))`
  + "\\s*[-–—]{0,2}\\s*\\p{Sc}?\\s?(?:\\p{L}{1,4}\\.?)?$", "u");

/**
 * A price in the money's own form: "$4.50", "4,50 €".
 * @param {number} cents hundredths of the currency
 * @param {string | undefined} currency ISO 4217; without one it is a number
 * @param {string} locale
 */
export function priceWords(cents, currency, locale) {
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (!currency) return plain.format(cents / 100);
  try {
    const own = new Intl.NumberFormat(locale, { style: "currency", currency });
    const isWhole = cents % 100 === 0 || (own.resolvedOptions().maximumFractionDigits ?? 2) > 0;
    // Money without small coins is written with hundredths only where a price has some.
    return (isWhole ? own : new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 2 }))
      .format(cents / 100);
  } catch {
    // No currency that the browser knows.
    return `${plain.format(cents / 100)} ${currency}`;
  }
}

/**
 * A price as a field has it: "4,50", and nothing for what is free.
 * @param {number} cents
 * @param {string} locale
 */
export function typedPrice(cents, locale) {
  return cents > 0 ? new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false })
    .format(cents / 100) : "";
}

/**
 * The hundredths that somebody has typed: "4,50", "4.50 €", "CA$ 4", "1'200.-". Nothing, or a word for it, is free.
 * @param {string} text
 * @param {string[]} [free] words for what costs nothing
 * @returns {number | null} null = no price
 */
export function parsedPrice(text, free = []) {
  if (text.length > CHARACTERS_MAX) return null;
  // Full width becomes plain.
  const trimmed = text.trim().normalize("NFKC");
  if (trimmed === "" || free.some((one) => one.toLowerCase() === trimmed.toLowerCase())) return 0;
  const found = TYPED.exec(trimmed);
  return found && hundredths(inASCII((found[1] ?? found[2]).trim()));
}

/** @param {string} text */
function inASCII(text) {
  return [...text].map((one) => {
    const code = /** @type {number} */ (one.codePointAt(0));
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return zero === undefined ? one : String(code - zero);
  }).join("").replace(/٫/g, ".").replace(/٬/g, ",").replace(/[\s’]/g, "'");
}

/**
 * @param {string} number digits with points, commas and apostrophes, which stand for spaces, too
 * @returns {number | null}
 */
function hundredths(number) {
  const found = /^([\d.,']*?)(?:([.,])(\d{1,2})?)?$/.exec(number);
  if (!found) return null;
  const [, whole, point = "", cents = ""] = found;
  // What is left before the cents is one number, or groups of three.
  const groups = whole.split(/[.,']/);
  const isGrouped = groups.length > 1 && groups[0].length >= 1 && groups[0].length <= 3
    && groups.slice(1).every((one) => one.length === 3) && new Set(whole.replace(/\d/g, "")).size === 1
    && !(point && whole.includes(point));
  if (groups.length > 1 && !isGrouped) return null;
  if (whole === "" && cents === "") return null;
  const value = Number(groups.join("")) * 100 + Number(cents.padEnd(2, "0"));
  return Number.isSafeInteger(value) && value <= 0xffff_ffff ? value : null;
}
