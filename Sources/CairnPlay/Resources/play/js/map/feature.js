// The map, for the register.

/** @type {import("../core/extensions.js").Feature} */
export const map = {
  name: "map",
  place: { name: "map", rank: 2, key: "2", isOnStage: true, load: async () => (await import("./map.js")).showMap },
};
