// The Profile, for the register. Other features give its sections, which are loaded with it.

async function load() {
  const { followProfile, loadSections, showProfile } = await import("./profile.js");
  await loadSections();
  followProfile();
  return showProfile;
}

/** @type {import("../core/extensions.js").Feature} */
export const profile = {
  name: "profile",
  place: {
    name: "profile", rank: 4, key: "4", load,
    icon: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20.500c.8-4 4-6 8-6s7.200 2 8 6",
  },
};
