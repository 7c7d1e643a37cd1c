// Where one comes to after signing in: to where one was as a guest.

import { sendPlace } from "../core/place.js";
import { goIfStayed } from "../core/router.js";
import { tab } from "../core/storage.js";

/** Where one goes once signed in, as a part of the address. */
const NEXT = "cairn-play-next";
/** The addresses by which a guest becomes a person. */
const WAYS_IN = /^#\/profile\/(signin|signup|recover|policy)/;

/** What follows a sign-in on this page. */
export function arrival() {
  const go = goIfStayed();
  return () => {
    sendPlace();
    const next = tab.get(NEXT);
    tab.set(NEXT, null);
    if (next) go(...next.split("/").map(decodeURIComponent));
    else go("map");
  };
}

/** Follows from where a guest comes to sign in, to lead them back there. */
export function followSignIn() {
  addEventListener("hashchange", ({ oldURL }) => {
    const [, before = ""] = oldURL.split("#/");
    if (!WAYS_IN.test(location.hash) || WAYS_IN.test(`#/${before}`)) return;
    tab.set(NEXT, /^(tours|realm)(\/|$)/.test(before) ? before : null);
  });
}
