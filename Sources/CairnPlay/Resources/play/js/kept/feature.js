// What was around last, where there is no network, for the register.

import { later } from "../components/later.js";
import { followKept } from "./keep.js";

/** @type {import("../core/extensions.js").Feature} */
export const kept = {
  name: "kept", follow: followKept, unreachable: later(async () => (await import("./kept.js")).showKept),
};
