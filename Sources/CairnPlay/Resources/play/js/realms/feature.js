// Sub-realms, for the register: which one is selected, and their section.

import { make } from "../core/page.js";
import { t } from "../core/texts.js";
import { choice, toSection } from "./choice.js";
import { followRealms, forgetRealm, resumeRealm } from "./selection.js";

const SECTION = "#/profile/realms";

/** @type {import("../core/extensions.js").Feature} */
export const realms = {
  name: "realms",
  sections: { realms: { rank: 40, who: "person", load: async () => (await import("./page.js")).realmsPage } },
  shown: [{ rank: 3, make: () => make("h3", {}, t("realm.selected")) }, { rank: 4, make: choice },
    { rank: 5, make: toSection }],
  leads: {
    realm_invitation: SECTION, realm_join_request: SECTION, realm_approved: SECTION, realm_refused: SECTION,
    realm_added: SECTION, realm_removed: SECTION, realm_deleted: SECTION,
  },
  follow: followRealms,
  welcomed: ({ resumed }) => !resumed && resumeRealm(),
  forget: forgetRealm,
};
