// @ts-check
/**
 * The maps between GeoPose's east-north-up frame (ENU) and the axes of AR platforms, in both directions. Both frames
 * are re-based: the world's axes and the thing's own (docs/protocol.md, "Axes and handedness"). docs/frames.json has
 * vectors to check them by.
 *
 * @typedef {[number, number, number]} Vector in metres; in ENU east, north, up
 * @typedef {{x: number, y: number, z: number, w: number}} Turn a unit quaternion
 */

/** WebXR and three.js with the world aligned to north, ARKit and ARCore too: +X east, +Y up, -Z north. */
export const webXR = {
    /** @param {Vector} enu @returns {Vector} */
    position: ([east, north, up]) => [east, up, -north],
    /** @param {Vector} position @returns {Vector} */
    enuPosition: ([x, y, z]) => [x, -z, y],
    /** @param {Turn} enu @returns {Turn} */
    orientation: ({ x, y, z, w }) => ({ x, y: z, z: -y, w }),
    /** @param {Turn} orientation @returns {Turn} */
    enuOrientation: ({ x, y, z, w }) => ({ x, y: -z, z: y, w }),
};

/** Unity with ARCore Extensions (EUN), left-handed: +X east, +Y up, +Z north. */
export const unityEUN = {
    /** @param {Vector} enu @returns {Vector} */
    position: ([east, north, up]) => [east, up, north],
    /** @param {Vector} position @returns {Vector} */
    enuPosition: ([x, y, z]) => [x, z, y],
    /** @param {Turn} enu @returns {Turn} */
    orientation: ({ x, y, z, w }) => ({ x: -x, y: -z, z: -y, w }),
    /** @param {Turn} orientation @returns {Turn} */
    enuOrientation: ({ x, y, z, w }) => ({ x: -x, y: -z, z: -y, w }),
};
