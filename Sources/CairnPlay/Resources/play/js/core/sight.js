// What the map shows, for who explains it.

import { tell } from "./app.js";

/** Whether the map is shown, and neither a marker nor where the world is seen from is in its picture. */
export const sight = { isElsewhere: false };

/** @param {boolean} isElsewhere */
export function setSight(isElsewhere) {
  if (sight.isElsewhere === isElsewhere) return;
  sight.isElsewhere = isElsewhere;
  tell("sight");
}
