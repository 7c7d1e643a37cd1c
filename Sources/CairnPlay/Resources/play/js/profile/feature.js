// The Profile, for the register. Other features give its sections, which are loaded with it.

async function load() {
  const { followProfile, loadSections, showProfile } = await import("./profile.js");
  await loadSections();
  followProfile();
  return showProfile;
}

/** @type {import("../core/extensions.js").Feature} */
export const profile = { name: "profile", place: { name: "profile", rank: 4, key: "4", load } };
