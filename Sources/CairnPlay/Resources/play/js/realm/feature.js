// The Realm, for the register: what is around in perspective, and how it is laid onto the ground.

import { make } from "../core/page.js";
import { later } from "../components/later.js";

const alignButtons = later(async () => (await import("./align.js")).alignButtons);

let hide = () => {};

async function load() {
  const { hideRealm, showRealm } = await import("./realm.js");
  hide = hideRealm;
  return showRealm;
}

/**
 * What aligns by a thing.
 * @param {import("../core/view.js").Item} item
 */
function alignment(item) {
  const box = make("div");
  if (item.kind === "thing") alignButtons(item).then((buttons) => { if (buttons) box.append(buttons); });
  return item.kind === "thing" && box;
}

/** @type {import("../core/extensions.js").Feature} */
export const realm = {
  name: "realm",
  place: {
    name: "realm", rank: 1, key: "1", isOnStage: true, load, hide: () => hide(),
    icon: "M12 3 3 8v8l9 5 9-5V8zM3 8l9 5 9-5M12 13v8",
  },
  shown: [
    { rank: 0, make: later(async () => (await import("./shown.js")).views) },
    { rank: 1, make: later(async () => (await import("./shown.js")).placeLine) },
  ],
  actions: alignment,
};
