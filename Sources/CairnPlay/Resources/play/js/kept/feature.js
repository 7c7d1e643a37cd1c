// What was around last, where there is no network, for the register.

import { followKept, showKept } from "./kept.js";

/** @type {import("../core/extensions.js").Feature} */
export const kept = { name: "kept", follow: followKept, unreachable: showKept };
