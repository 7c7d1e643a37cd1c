// Things, for the register: their details, placing them, and the draft on the map.

import { objectName } from "../core/view.js";
import { later, opener } from "../components/later.js";

const hear = later(async () => (await import("./mine.js")).hear);

const startAdding = opener(async () => (await import("./editor.js")).startAdding);

/** What the drawings of faces have in common. */
const FACE = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.700 9.500h.01M15.300 9.500h.01";

/** @type {import("../core/extensions.js").Feature} */
export const things = {
  name: "things",
  keys: { n: startAdding },
  button: { name: "add", icon: "plus", run: startAdding },
  kinds: { thing: {
    open: opener(async () => (await import("./details.js")).openThing), isNamedAlone: true,
    title: ({ instance: { object, text } }) => (text ? `${objectName(object)}: ${text}` : objectName(object)),
    words: ({ instance: { object, text } }) => text || objectName(object),
    isBare: ({ instance }) => !instance.text,
    drawing: ({ instance }) => instance.object,
    lift: ({ instance }) => 1.3 * (instance.pose?.scale ?? 1),
    shape: ({ instance }) => instance.object, stance: "posed",
  } },
  drawings: {
    heart: { path: "M12 20.500C5 15.500 3 12 3 8.800A4.800 4.800 0 0 1 12 6.500a4.800 4.800 0 0 1 9 2.300c0 3.200-2 6.700-9 11.700z", solid: true },
    star: { path: "m12 2.800 2.800 6 6.500.8-4.800 4.500 1.300 6.500L12 17.300l-5.800 3.300 1.300-6.500L2.700 9.600l6.500-.8z", solid: true },
    flag: { path: "M5 2.500h2v19H5zM8 4h12l-3 4.200L20 12.500H8z", solid: true },
    arrow: { path: "M12 2.500 20.500 20 12 16.300 3.500 20z", solid: true },
    balloon: { path: "M12 2a6.800 6.800 0 0 0-6.800 7c0 3.700 3 6.800 5.500 7.700l-.9 1.600h1.700V22h1v-3.700h1.700l-.9-1.600c2.500-.9 5.500-4 5.500-7.700A6.800 6.800 0 0 0 12 2z", solid: true },
    cairn: { path: "M4 16.500h16a2.200 2.200 0 0 1 0 4.500H4a2.200 2.200 0 0 1 0-4.500zM7 11h10a2.200 2.200 0 0 1 0 4.400H7A2.200 2.200 0 0 1 7 11zM9.500 6h5a2 2 0 0 1 0 4h-5a2 2 0 0 1 0-4zM11 2h2a1.500 1.500 0 0 1 0 3h-2a1.500 1.500 0 0 1 0-3z", solid: true },
    like: { path: "M7 11v9H3.500v-9zM7 11l4-8c1.600 0 2.500 1 2.500 2.500V9.500h5c1.300 0 2.100 1 1.900 2.300l-1.200 6.500c-.2 1-.9 1.700-1.900 1.700H7" },
    love: { path: "M12 20.500C5 15.500 3 12 3 8.800A4.800 4.800 0 0 1 12 6.500a4.800 4.800 0 0 1 9 2.300c0 3.200-2 6.700-9 11.700z", solid: true },
    laugh: { path: `${FACE}M7.500 13.200c.6 3 2.400 4.300 4.500 4.300s3.900-1.300 4.500-4.300z` },
    wow: { path: `${FACE}M12 13a1.800 2.300 0 1 0 0 4.600 1.800 2.300 0 0 0 0-4.600z` },
    sad: { path: `${FACE}M8.200 16.800c1.800-2.400 5.800-2.400 7.600 0` },
    angry: { path: `${FACE}M8.200 16.800c1.800-2 5.800-2 7.600 0M7 6.800l3.200 1.700M17 6.800l-3.200 1.700` },
  },
  follow: (client) => client.on("changed", (/** @type {any} */ { instance, was }) => {
    if (client.view.isOwn(instance.id)) hear(instance, was);
  }),
  begun: {
    reaction: later(async () => (await import("./details.js")).goOnReacting),
    placement: later(async () => (await import("./editor.js")).goOnPlacing),
  },
  notices: { instance_taken_out: { usual: "on", rank: 30 } },
  layers: [{ name: "draft", load: async () => (await import("./ghost.js")).drawDraft }],
  shapes: async () => (await import("./shapes.js")).shapes,
};
