// @ts-check
/**
 * cairn.js: a client of a Cairn server for web pages, in plain ES modules. `/play/cairn/index.js` of any server.
 *
 * ```js
 * import { CairnClient } from 'https://example.org/play/cairn/index.js';
 * const client = new CairnClient({ url: 'https://example.org', profile: { name: 'ada' } });
 * client.on('appeared', (instance) => console.log(instance.object, instance.pose.geopose.position));
 * await client.connect();
 * client.move({ lat: 47.3769, lon: 8.5417, h: 408 });
 * const position = { lat: 47.3769, lon: 8.5417, h: 408 };
 * const geopose = { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
 * const heart = await client.place('preset:heart', { geopose });
 * ```
 */

export { CairnClient } from './client.js';
export { Refusal } from './refusal.js';
export { IndexedStore, MemoryStore } from './store.js';
export { PositionTimer } from './positions.js';
export { LocalPlane, bearingDegrees, distanceMetres, cellCentre, cellCorners, cellAt } from './geo.js';
export { webXR, unityEUN } from './frames.js';
export { ClientCore } from './core.js';
export { decode, encode, kindOf } from './codec.js';
export { fromJSON, toJSON } from './json.js';
export { REQUESTS, TYPES } from './schema.js';
