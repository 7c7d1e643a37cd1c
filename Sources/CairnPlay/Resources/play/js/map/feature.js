// The map, for the register.

/** @type {import("../core/extensions.js").Feature} */
export const map = {
  name: "map",
  place: {
    name: "map", rank: 2, key: "2", isOnStage: true, load: async () => (await import("./map.js")).showMap,
    icon: "M9 4 3 6.500v13.500l6-2.500 6 2.500 6-2.500V4l-6 2.500zM9 4v13.500M15 6.500V20",
  },
};
