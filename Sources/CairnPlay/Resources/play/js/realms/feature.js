// Sub-realms, for the register: which one is selected, and their section.

import { later } from "../components/later.js";
import { followRealms, forgetRealm, isOutside, resumeRealm } from "./selection.js";

const SECTION = "#/profile/realms";

/**
 * @param {number} rank
 * @returns {import("../core/extensions.js").Notice}
 */
const notice = (rank) => ({ lead: SECTION, usual: "on", rank });
/**
 * One of a sub-realm that the person is in.
 * @param {number} rank
 * @returns {import("../core/extensions.js").Notice}
 */
const within = (rank) => ({ ...notice(rank), lead: ({ realm = "" }) => (realm ? `${SECTION}/${realm}` : SECTION) });

/** @type {import("../core/extensions.js").Feature} */
export const realms = {
  name: "realms",
  sections: { realms: { rank: 40, who: "person", load: async () => (await import("./page.js")).realmsPage } },
  shown: [{ rank: 3, make: later(async () => (await import("./choice.js")).choice) }],
  notices: {
    realm_invitation: notice(20), realm_join_request: within(21), realm_approved: within(22), realm_refused: notice(23),
    realm_added: within(24), realm_removed: notice(25), realm_deleted: notice(26),
  },
  aside: isOutside,
  follow: followRealms,
  welcomed: ({ resumed }) => !resumed && resumeRealm(),
  forget: forgetRealm,
};
