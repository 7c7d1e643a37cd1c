// Organisations, for the register.

const SECTION = "#/profile/organisation";

/** @type {import("../core/extensions.js").Feature} */
export const organisation = {
  name: "organisation",
  sections: { organisation: {
    rank: 110, who: "person", load: async () => (await import("./organisation.js")).organisationPage,
  } },
  notices: {
    organisation_accepted: { lead: SECTION }, organisation_denied: { lead: SECTION },
    organisation_removal_asked: { lead: SECTION }, organisation_removed: { lead: SECTION },
    organisation_suspended: { lead: SECTION }, organisation_reinstated: { lead: SECTION },
  },
};
