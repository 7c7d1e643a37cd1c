// Where the map looks, by the order of what moves it: the own place, the person, a feature. Leaflet is a stand-in that
// has a middle and says what starts and ends, as Leaflet does.

import assert from 'node:assert/strict';
import { register } from 'node:module';
import test from 'node:test';

import { open } from './document.mjs';
import { page } from './page.mjs';

register(`data:text/javascript,${encodeURIComponent(`
    export const resolve = (name, context, next) => name === '/play/lib/leaflet.js'
        ? { url: 'data:text/javascript,export const { leaflet } = globalThis', shortCircuit: true }
        : next(name, context);`)}`);
globalThis.BroadcastChannel = /** @type {any} */ (class extends EventTarget { postMessage() {} close() {} });

const HOME = { lat: 45.5, lon: -73.6 }, FAR = { lat: 48.1, lon: 11.5 };
/** Degrees from the middle of the picture to its edge. */
const EDGE = 0.001;

/** What takes any call and gives the same again. @type {any} */
const anything = new Proxy(function any() {}, {
    get: (_, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => 0 : anything),
    set: () => true, apply: () => anything, construct: () => anything,
});

/** What the map needs of a map: it moves at once, and says so. */
class Plain {
    middle = { lat: 0, lng: 0 };
    zoom = 2;
    /** @type {Map<string, ((event: any) => void)[]>} */
    listeners = new Map();
    attributionControl = anything;

    on(/** @type {string} */ names, /** @type {(event: any) => void} */ listener) {
        for (const name of names.split(' ')) this.listeners.set(name, [...this.listeners.get(name) ?? [], listener]);
        return this;
    }
    fire(/** @type {string} */ type) {
        for (const listener of this.listeners.get(type) ?? []) listener({ type });
    }
    setView(/** @type {any} */ where, /** @type {number} */ zoom, /** @type {any} */ { pan } = {}) {
        if (!pan?.noMoveStart) this.fire('movestart');
        const [lat, lng] = Array.isArray(where) ? where : [where.lat, where.lng];
        Object.assign(this, { middle: { lat, lng }, zoom });
        this.fire('moveend');
        return this;
    }
    panTo(/** @type {any} */ where, /** @type {any} */ pan) { return this.setView(where, this.zoom, { pan }); }
    setZoom(/** @type {number} */ zoom) { return this.setView(this.middle, zoom); }
    getZoom() { return this.zoom; }
    getMaxZoom() { return 22; }
    getMinZoom() { return 2; }
    getCenter() { return { ...this.middle, wrap: () => this.middle }; }
    getBounds() { return this.#bounds(EDGE); }
    getPixelBounds() { return { min: { x: 0, y: 0 }, max: { x: this.middle.lng, y: this.middle.lat } }; }
    getContainer() { return document.getElementById('map'); }
    distance() { return 1000; }
    createPane() { return anything; }
    invalidateSize() {}

    /** @param {number} edge @returns {any} */
    #bounds(edge) {
        const { lat, lng } = this.middle;
        return { pad: (/** @type {number} */ by) => this.#bounds(edge * (1 + 2 * by)),
            contains: (/** @type {any} */ [south, east] = []) =>
                Math.abs(south - lat) <= edge && Math.abs(east - lng) <= edge };
    }
}

const leaflet = { map: () => new Plain(), GridLayer: anything, control: anything, DomEvent: anything,
    layerGroup: () => anything, circle: () => anything, marker: () => anything, divIcon: () => anything };
const { byId } = open('map', 'pill', 'said', 'warned');
Object.assign(globalThis, { leaflet, fetch: async () => ({ ok: false }),
    getComputedStyle: () => ({ fontSize: '16px', getPropertyValue: () => '' }) });
const app = await page('core/app.js'), client = await app.makeClient();
client.core.welcome = { role: 'guest', limits: { guestsLook: true }, settings: [] };
client.move = () => {};
const { setPlace } = await page('core/place.js');
const { countComputed, mapParts, showMap } = await page('map/map.js');
setPlace(HOME);
await showMap();
const { map } = await mapParts();

/** Does something, and waits until what moved or changed by it is drawn. @param {() => unknown} [act] */
async function drawn(act) {
    await act?.();
    // Each drawing may move the map, which asks for another one.
    for (let before = -1; before !== countComputed();) {
        before = countComputed();
        await new Promise((then) => { setTimeout(then, 80); });
    }
    return map.middle;
}

const at = (/** @type {{lat: number, lon: number}} */ { lat, lon }) => ({ lat, lng: lon });

test('the map follows the own place until the person or a feature moves it, and again when asked to', async () => {
    assert.deepEqual(await drawn(), at(HOME));
    const walked = { lat: HOME.lat + EDGE, lon: HOME.lon };
    assert.deepEqual(await drawn(() => setPlace(walked)), at(walked));
    // A feature shows something: the map stays there, also when the person walks.
    assert.deepEqual(await drawn(() => map.panTo([FAR.lat, FAR.lon])), at(FAR));
    assert.deepEqual(await drawn(() => setPlace(HOME)), at(FAR));
    // What says that this is further away has a button that leads back.
    assert.deepEqual(await drawn(() => app.tell('bring', HOME)), at(HOME));
    assert.deepEqual(await drawn(() => setPlace(walked)), at(walked));
    // Keys and the wheel have no dragging.
    map.fire('movestart');
    assert.deepEqual(await drawn(() => setPlace(HOME)), at(walked));
    assert.deepEqual(await drawn(() => byId('map-here').click()), at(HOME));
    map.fire('movestart');
    map.fire('dragstart');
    assert.deepEqual(await drawn(() => setPlace(walked)), at(HOME));
});

test('who places a thing is followed again when it is placed', async () => {
    const { beginNew } = await page('things/pose.js'), { setDraft } = await page('core/draft.js');
    const { FOLLOWS } = await page('components/marker.js');
    await drawn(() => byId('map-here').click());
    await drawn(() => beginNew('preset:star', []));
    const near = { lat: HOME.lat + 2 * EDGE, lon: HOME.lon };
    // The draft is brought into the middle, and the own place does not take it away.
    assert.deepEqual(await drawn(() => map.setView([near.lat, near.lon], 19, FOLLOWS)), at(near));
    assert.deepEqual(await drawn(() => { setDraft(null); setPlace(HOME); }), at(HOME));
    // Who has moved the map by keys or the wheel meanwhile stays there.
    await drawn(() => beginNew('preset:star', []));
    assert.deepEqual(await drawn(() => map.panTo([FAR.lat, FAR.lon])), at(FAR));
    assert.deepEqual(await drawn(() => { setDraft(null); setPlace({ ...HOME, lat: HOME.lat + EDGE }); }), at(FAR));
});
