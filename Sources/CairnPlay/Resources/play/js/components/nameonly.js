// One quiet line where people become friends or members, on a server that takes a name alone: who it may be. The server
// does not tell of others how they have signed in; of oneself it does.

import { client } from "../core/app.js";
import { opensByName } from "../core/entry.js";
import { make } from "../core/page.js";
import { t } from "../core/texts.js";

/** The line; it stays empty where a name alone does not sign in. */
export function nameOnly() {
  const line = make("p", { class: "quiet", role: "note" });
  const fill = async () => {
    if (!(await opensByName()) || !client.isSignedIn) return;
    const { hasPassword, providers = [] } = await client.request("getProfile");
    if (hasPassword || providers.length > 0) line.append(t("byName.others"));
    else line.append(t("byName.own"), " ", make("a", { href: "#/profile/password" }, t("byName.secure")));
  };
  // What is not known is not said.
  fill().catch(() => {});
  return line;
}
