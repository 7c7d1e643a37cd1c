// Organisations, for the register.

const SECTION = "#/profile/organisation";

/** @type {import("../core/extensions.js").Feature} */
export const organisation = {
  name: "organisation",
  sections: { organisation: {
    rank: 110, who: "person", load: async () => (await import("./organisation.js")).organisationPage,
  } },
  leads: {
    organisation_accepted: SECTION, organisation_denied: SECTION, organisation_removal_asked: SECTION,
    organisation_removed: SECTION, organisation_suspended: SECTION, organisation_reinstated: SECTION,
  },
};
