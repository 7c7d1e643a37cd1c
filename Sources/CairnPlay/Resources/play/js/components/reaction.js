// Drawings of the reactions, which are shown in details alone: the first view does without them.

import { glyph } from "../core/glyphs.js";

/** What the drawings of faces have in common. */
const FACE = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.700 9.500h.01M15.300 9.500h.01";

/** @type {Record<string, import("../core/extensions.js").Drawing>} */
const DRAWINGS = {
  like: { path: "M7 11v9H3.500v-9zM7 11l4-8c1.600 0 2.500 1 2.500 2.500V9.500h5c1.300 0 2.100 1 1.900 2.300l-1.200 6.500c-.2 1-.9 1.700-1.900 1.700H7" },
  love: { path: "M12 20.500C5 15.500 3 12 3 8.800A4.800 4.800 0 0 1 12 6.500a4.800 4.800 0 0 1 9 2.300c0 3.200-2 6.700-9 11.700z", solid: true },
  laugh: { path: `${FACE}M7.500 13.200c.6 3 2.400 4.300 4.500 4.300s3.900-1.300 4.500-4.300z` },
  wow: { path: `${FACE}M12 13a1.800 2.300 0 1 0 0 4.600 1.800 2.300 0 0 0 0-4.600z` },
  sad: { path: `${FACE}M8.200 16.800c1.800-2.400 5.800-2.400 7.600 0` },
  angry: { path: `${FACE}M8.200 16.800c1.800-2 5.800-2 7.600 0M7 6.800l3.200 1.700M17 6.800l-3.200 1.700` },
};

/**
 * The drawing of a reaction ("like").
 * @param {string} name
 */
export const reactionGlyph = (name) => glyph(name, DRAWINGS);
