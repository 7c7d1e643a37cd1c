// Things, for the register: their details, placing them, and the draft on the map.

import { draft } from "../core/draft.js";
import { objectName } from "../core/view.js";
import { later, opener } from "../components/later.js";

const hear = later(async () => (await import("./mine.js")).hear);

const drawDraft = later(async () => (await import("./ghost.js")).drawDraft);
/** Whether there was a draft when the map was drawn last: it is taken away then. */
let hadDraft = false;

const startAdding = opener(async () => (await import("./editor.js")).startAdding);

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
  },
  follow: (client) => client.on("changed", (/** @type {any} */ { instance, was }) => {
    if (client.view.isOwn(instance.id)) hear(instance, was);
  }),
  begun: {
    reaction: later(async () => (await import("./details.js")).goOnReacting),
    placement: later(async () => (await import("./editor.js")).goOnPlacing),
  },
  notices: { instance_taken_out: { usual: "on", rank: 30 } },
  layers: [{ name: "draft", load: async () => (parts) => {
    if (draft || hadDraft) drawDraft(parts);
    hadDraft = draft !== null;
  } }],
  shapes: async () => (await import("./shapes.js")).shapes,
};
