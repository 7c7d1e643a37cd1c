// Where one comes to after signing in: to where one was as a guest, with what was begun there.

import { goOn } from "../core/begun.js";
import { sendPlace } from "../core/place.js";
import { goIfStayed, goInstead } from "../core/router.js";
import { tab } from "../core/storage.js";
import { refuse } from "../components/message.js";
import { NEXT } from "./ways.js";

/** What follows a sign-in on this page. The browser's Back does not lead to the signing in again. */
export function arrival() {
  const go = goIfStayed(goInstead);
  return async () => {
    sendPlace();
    const next = tab.get(NEXT);
    tab.set(NEXT, null);
    if (next) go(...next.split("/").map(decodeURIComponent));
    else go("map");
    try {
      await goOn();
    } catch (refusal) {
      refuse(refusal);
    }
  };
}
