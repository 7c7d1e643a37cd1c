// Runs, their ends and the frame around them on the page, without a server: what of them is for whom, and how long.

import assert from 'node:assert/strict';
import test from 'node:test';

import { page } from './page.mjs';

/** @type {any} */
const elements = {};
const element = (/** @type {string} */ id) => (elements[id] ??= { hidden: false, children: [], offsetHeight: 0,
    style: { setProperty() {} }, replaceChildren(/** @type {any[]} */ ...all) { this.children = all; } });
/** @type {any} */
const media = { matches: false };
Object.assign(globalThis, {
    BroadcastChannel: undefined, location: { hash: '#/tours/run', origin: 'http://localhost' },
    ResizeObserver: class { observe() {} },
    matchMedia: () => Object.assign(media, { addEventListener: (/** @type {any} */ _, /** @type {any} */ run) => {
        media.change = run;
    } }),
    document: { getElementById: element, querySelector: () => null, querySelectorAll: () => [], activeElement: null,
        documentElement: { style: { setProperty() {} } }, addEventListener() {},
        body: { classList: { contains: () => false, toggle() {} } } },
    window: {}, addEventListener() {},
});

const app = await page('core/app.js');
const { register } = await page('core/extensions.js');
const { PLACES } = await page('core/router.js');
const { checkDrawn, nowDrawn, undraw } = await page('tours/drawn.js');
const { walkOf } = await page('tours/ending.js');
const { keepWalk, lastWalk } = await page('tours/walk.js');
const runs = await page('tours/run.js');
const client = await app.makeClient();
PLACES.push('tours');
const { clearInterval } = globalThis, interval = globalThis.setInterval;
/** @type {any[]} */
const clocks = [];
globalThis.setInterval = /** @type {any} */ ((/** @type {any[]} */ ...all) => {
    const clock = interval(.../** @type {[any]} */ (all));
    clocks.push(clock);
    return clock;
});
test.after(() => clocks.forEach(clearInterval));
client.request = async () => { throw Object.assign(new Error('no'), { code: 'overloaded' }); };

/** @param {string} account */
const is = (account) => { client.core.welcome = { account, role: account ? 'general' : 'guest' }; };
const turns = () => new Promise((resolve) => setTimeout(resolve, 20));
const until = async (/** @type {() => any} */ isSo) => {
    for (let n = 0; n < 1_000 && !await isSo(); n++) await turns();
};

test('popups and fellow walkers of a run are not on the page of the next one', () => {
    is('mia');
    runs.followRuns(client);
    runs.takeRun({ id: 'r', tour: 't' });
    runs.popups.push({ text: 'a' });
    client.emit('fellowWalkers', { reached: [3] });
    runs.endRun();
    assert.deepEqual([runs.popups, runs.others, runs.run], [[], 0, null]);
    runs.takeRun({ id: 's', tour: 'u' });
    assert.deepEqual(runs.popups, []);
    runs.endRun();
});

test('the list says of the tour that is walked what the bar says, and of others where their route begins', async () => {
    const { away } = await page('tours/figures.js'), { setPlace } = await page('core/place.js');
    const stop = { id: 's', name: { texts: [] }, pose: { geopose: { position: { lat: 45.501, lon: -73.5 } } } };
    setPlace({ lat: 45.5, lon: -73.5 });
    const tour = { id: 't', start: { lat: 45.503, lon: -73.5 }, away: 334 };
    assert.equal(away(tour), 'tours.away.towards');
    is('mia');
    runs.takeRun({ id: 'r', tour: 't', target: stop });
    assert.equal(away(tour), 'run.to, run.ahead');
    assert.equal(away({ ...tour, id: 'u' }), 'tours.away.towards');
    runs.endRun();
});

test('what is drawn of a tour ends when it is to, and is taken away once', () => {
    let isShown = true, ended = 0;
    nowDrawn(() => isShown, () => { ended += 1; });
    checkDrawn();
    assert.equal(ended, 0);
    isShown = false;
    checkDrawn();
    checkDrawn();
    undraw();
    assert.equal(ended, 1);
    nowDrawn(() => true, () => { ended += 1; });
    undraw();
    assert.equal(ended, 2);
    // A run that ends takes its drawing along.
    runs.takeRun({ id: 'r', tour: 't' });
    nowDrawn(runs.isWalking, () => { ended += 1; });
    runs.endRun();
    assert.equal(ended, 3);
});

test('what the last walk came to is shown after a reload in between, once, and to its walker alone', async () => {
    is('mia');
    location.hash = '#/tours/run';
    await keepWalk(client, walkOf({ id: 'w', tour: 't', state: 'RUN_STATE_COMPLETED' }, {}));
    is('ada');
    assert.equal(await lastWalk(client), undefined);
    client.emit('welcomed', {});
    await turns();
    assert.equal(location.hash, '#/tours/run');
    is('mia');
    client.emit('welcomed', {});
    await until(async () => (await lastWalk(client)).isShown);
    assert.deepEqual([location.hash, (await lastWalk(client)).isShown], ['#/tours/done', true]);
    location.hash = '#/tours/run';
    client.emit('welcomed', {});
    await turns();
    assert.equal(location.hash, '#/tours/run');
});

test('a walk whose walker has signed out meanwhile is not kept, and one that cannot be left is shown', async () => {
    const { finish } = await page('tours/walked.js');
    is('eva');
    location.hash = '#/tours/run';
    const done = { id: 'x', tour: 't', state: 'RUN_STATE_COMPLETED' };
    await assert.rejects(finish(done, {}, () => {}), { code: 'overloaded' });
    assert.deepEqual([location.hash, (await lastWalk(client)).isShown], ['#/tours/done', true]);
    is('bob');
    const ending = finish({ ...done, id: 'y' }, undefined, () => assert.fail('not any more'));
    is('');
    await ending;
    is('bob');
    assert.equal(await lastWalk(client), undefined);
});

test('a payment is that of one account', async () => {
    const { nameOf } = await page('tours/bought.js');
    is('mia');
    const hers = nameOf('t');
    is('ada');
    assert.notEqual(nameOf('t'), hers);
});

test('of two bars that are asked for the later one is shown, whichever is there first', async () => {
    const { showBar } = await page('frame/bar.js');
    /** @type {((bar: any) => void)[]} */
    const made = [];
    register([{ name: 'a', bar: () => new Promise((resolve) => made.push(resolve)) }]);
    const both = [showBar(), showBar()];
    made[1]('new');
    made[0]('old');
    await Promise.all(both);
    assert.deepEqual(element('bar').children, ['new']);
});

test('where the room changes, what is shown stays and what stands beside it comes and goes', async () => {
    const { showPlace, startPlaces } = await page('frame/places.js');
    let shows = 0, maps = 0;
    for (const id of ['stage', 'page']) Object.assign(element(id), { append() {}, querySelector: () => null });
    /** @type {any} */ (document).createElement = () => ({ append() {}, setAttribute() {} });
    register([
        { name: 'tours', place: { name: 'tours', rank: 1, key: '1', icon: '', beside: () => 'map',
            load: async () => () => { shows += 1; } } },
        { name: 'map', place: { name: 'map', rank: 2, key: '2', icon: '', isOnStage: true,
            load: async () => () => { maps += 1; } } },
    ]);
    PLACES.length = 0;
    startPlaces();
    location.hash = '#/tours/edit/t';
    await showPlace();
    assert.deepEqual([shows, maps, element('stage').hidden], [1, 0, true]);
    media.matches = true;
    await media.change();
    assert.deepEqual([shows, maps, element('stage').hidden], [1, 1, false]);
    media.matches = false;
    await media.change();
    assert.deepEqual([shows, maps, element('stage').hidden], [1, 1, true]);
});

test('a history that was ended while its address was awaited is not heard, and one that fails ends', async () => {
    const { hear, quiet } = await page('tours/history.js');
    const stop = { history: { words: [{ language: 'en', text: 'First.', audio: 'a' }] } };
    /** @type {any} */
    const button = Object.assign(new EventTarget(), { dataset: {}, textContent: '' });
    document.querySelectorAll = /** @type {any} */ (() => (button.dataset.on ? [button] : []));
    let plays = 0;
    globalThis.Audio = /** @type {any} */ (class extends EventTarget {
        pause() {}
        play() {
            plays += 1;
            return Promise.reject(new Error('not a sound'));
        }
    });
    /** @type {(address: string) => void} */
    let answer = () => {};
    client.assetURL = () => new Promise((resolve) => { answer = resolve; });
    const hearing = hear(stop, 't', button);
    assert.equal(button.dataset.on, 'yes');
    quiet();
    answer('http://localhost/a');
    await hearing;
    assert.deepEqual([plays, button.dataset.on], [0, undefined]);
    client.assetURL = async () => 'http://localhost/a';
    await assert.rejects(hear(stop, 't', button));
    assert.deepEqual([plays, button.dataset.on], [1, undefined]);
});

test('a sign-out forgets what its account has entered and nothing else, a sign-in that lapses nothing', async () => {
    const { Memory } = await import('./drafting.mjs');
    const { Drafts } = await page('tours/drafts.js');
    const { tours } = await page('tours/feature.js');
    const storage = new Memory();
    /** @type {any} */ (globalThis).window.localStorage = { getItem: storage.get.bind(storage),
        setItem: storage.set.bind(storage), removeItem: (/** @type {string} */ key) => storage.set(key, null) };
    tours.follow(client);
    for (const account of ['mia', 'ada']) new Drafts(storage, account).put('t', 'facts', { version: 1, value: 1 });
    is('mia');
    client.emit('state', {});
    // A store in memory is emptied before it is told why.
    client.emit('emptied', undefined);
    client.emit('signedOut', { code: 'token_expired' });
    await turns();
    assert.ok(new Drafts(storage, 'mia').of('t').facts);
    client.emit('emptied', undefined);
    await until(() => !new Drafts(storage, 'mia').of('t').facts);
    assert.deepEqual([new Drafts(storage, 'mia').of('t'), new Drafts(storage, 'ada').of('t').facts.value], [{}, 1]);
});
