// The banner over the stage: what one feature has to say while it lasts, out of the way. A sheet lies over it.

import { on } from "../core/app.js";
import { given } from "../core/extensions.js";
import { at } from "../core/page.js";

/** @type {Node | null} what is shown */
let shown = null;
let asked = 0;

/** Shows it, and asks again whenever a feature may have something else to say. */
export function showBanner() {
  const events = new Set(given("banner").flatMap(({ events }) => events.split(" ")));
  on(["banner", ...events].join(" "), draw);
  draw();
}

/** The first that has something to say has the banner. */
async function draw() {
  const now = (asked += 1);
  for (const banner of given("banner").sort((a, b) => a.rank - b.rank)) {
    const found = await banner.draw();
    if (now !== asked) return;
    if (found) {
      put(found);
      return;
    }
  }
  put(null);
}

/** @param {Node | null} content the same node stays as it is, with the focus in it */
function put(content) {
  if (content === shown) return;
  shown = content;
  at("banner").replaceChildren(...(content ? [content] : []));
  at("banner").hidden = !content;
}
