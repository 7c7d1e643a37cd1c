// @ts-check
/**
 * cairn.js: a client of a Cairn server for web pages, in plain ES modules. `/play/cairn/index.js` of any server, and
 * the package `cairn-js`.
 *
 * ```js
 * import { CairnClient, placeOf, poseAt } from 'https://example.org/play/cairn/index.js';
 * const client = new CairnClient({ url: 'https://example.org', profile: { name: 'ada' } });
 * client.on('appeared', (instance) => console.log(instance.object, placeOf(instance)));
 * await client.connect();
 * client.move({ lat: 47.3769, lon: 8.5417, h: 408 });
 * const heart = await client.place('preset:heart', poseAt({ lat: 47.3769, lon: 8.5417, h: 408 }));
 * ```
 *
 * @typedef {import('./client.js').ClientOptions} ClientOptions
 * @typedef {import('./connection.js').ClientState} ClientState
 * @typedef {import('./session.js').ClientProfile} ClientProfile
 * @typedef {import('./events.js').ClientEvents} ClientEvents
 * @typedef {import('./store.js').Store} Store
 * @typedef {import('./snapshots.js').LiveSnapshot} LiveSnapshot
 * @typedef {import('./presence.js').PresentPerson} PresentPerson
 * @typedef {import('./received.js').GeoPosition} GeoPosition latitude, longitude, height
 * @typedef {import('./messages.js').Position} Position what `move` takes: that, accuracy, orientation
 * @typedef {import('./messages.js').Pose} Pose
 * @typedef {import('./received.js').Instance} Instance
 * @typedef {import('./received.js').Welcome} Welcome
 * @typedef {import('./received.js').Requests} Requests
 */

export { CairnClient } from './client.js';
export { Refusal } from './refusal.js';
export { IndexedStore, MemoryStore } from './store.js';
export { liveStore } from './snapshots.js';
export { PositionTimer } from './positions.js';
export { LocalPlane, bearingDegrees, distanceMetres, cellCentre, cellCorners, cellAt, placeOf, poseAt } from './geo.js';
export { webXR, unityEUN } from './frames.js';
export { ClientCore } from './core.js';
export { decode, encode, kindOf } from './codec.js';
export { fromJSON, toJSON } from './json.js';
export { REQUESTS, TYPES } from './schema.js';
export { PROTOCOL } from './session.js';
