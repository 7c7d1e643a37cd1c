// What admins do, for the register.

/** @type {import("../core/extensions.js").Feature} */
export const admin = {
  name: "admin",
  sections: { admin: { rank: 120, who: "admin", load: async () => (await import("./admin.js")).adminPage } },
};
