// Says whom a guest has become, and follows from where they come to sign in, to lead them back there.

import { isSignedIn, tell } from "../core/app.js";
import { route } from "../core/router.js";
import { tab } from "../core/storage.js";
import { t } from "../core/texts.js";
import { toast } from "../components/message.js";

/** Where one goes once signed in, as a part of the address. */
export const NEXT = "cairn-play-next";
/** The addresses by which a guest becomes a person. */
const WAYS_IN = /^#\/profile\/(signin|signup|recover|policy)/;

/**
 * Follows the sign-ins of this page.
 * @param {any} client
 */
export function followSignIn(client) {
  let wasGuest = false;
  client.on("welcomed", (/** @type {any} */ { name }) => {
    if (wasGuest && isSignedIn()) {
      toast(t("signedIn", { name }));
      tell("arrived");
    }
    wasGuest = !isSignedIn();
  });
  client.on("emptied", () => { wasGuest = true; });
  addEventListener("hashchange", async ({ oldURL }) => {
    const [, before = ""] = oldURL.split("#/");
    const isIn = WAYS_IN.test(location.hash), wasIn = WAYS_IN.test(`#/${before}`);
    if (isIn && !wasIn) tab.set(NEXT, before && !before.startsWith("profile") ? before : null);
    if (isIn || !wasIn || isSignedIn()) return;
    // Back, without having signed in.
    const { comeBack, forgetBegun } = await import("../core/begun.js");
    if (tab.get(NEXT) === location.hash.slice(2) || (!tab.get(NEXT) && route().place === "map")) await comeBack();
    else forgetBegun();
  });
}
