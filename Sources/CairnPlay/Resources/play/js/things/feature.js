// Things, for the register: their details, placing them, and the draft on the map.

import { objectName } from "../core/view.js";
import { later } from "../components/later.js";
import { drawDraft } from "./ghost.js";

const startAdding = later(async () => (await import("./editor.js")).startAdding);

/** @type {import("../core/extensions.js").Feature} */
export const things = {
  name: "things",
  keys: { n: startAdding },
  button: { name: "add", icon: "plus", run: startAdding },
  kinds: { thing: {
    open: later(async () => (await import("./details.js")).openThing), isNamedAlone: true,
    title: ({ instance: { object, text } }) => (text ? `${objectName(object)}: ${text}` : objectName(object)),
    words: ({ instance: { object, text } }) => text || objectName(object),
    isBare: ({ instance }) => !instance.text,
    drawing: ({ instance }) => instance.object,
    lift: ({ instance }) => 1.3 * (instance.pose?.scale ?? 1),
    shape: ({ instance }) => instance.object, stance: "posed",
  } },
  notices: { instance_taken_out: { usual: "on", rank: 30 } },
  layers: [{ name: "draft", draw: drawDraft }],
  shapes: async () => (await import("./shapes.js")).shapes,
};
