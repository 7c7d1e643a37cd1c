// What the page for players decides for guests without a document: what they look at, what they tell the server, what
// goes on when they have signed in, and how they are told that they wait.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { awaited } from './document.mjs';
import { page } from './page.mjs';

// The channel between tabs would keep Node alive.
globalThis.BroadcastChannel = /** @type {any} */ (class extends EventTarget { postMessage() {} close() {} });
Object.assign(globalThis, { location: { origin: 'http://localhost:1', hostname: 'example.org', hash: '' } });
const { register } = await page('core/extensions.js');
const app = await page('core/app.js');
const { local } = await page('core/storage.js');
const place = await page('core/place.js');
const begun = await page('core/begun.js');
const client = await app.makeClient();

const PARK = { lat: 45.5048, lon: -73.5872 }, SQUARE = { lat: 48.137, lon: 11.575 };

/**
 * The server has greeted.
 * @param {object} welcome
 */
const greeted = (welcome) => { client.core.welcome = { role: 'guest', limits: {}, settings: [], ...welcome }; };

/** What was told to the server since the last time. */
const told = () => moves.splice(0);
/** @type {any[]} */
const moves = [];
client.move = (/** @type {any} */ position) => {
    client.core.position = position;
    moves.push(position);
};

test('a guest who is nowhere looks at a place, and tells it once where the server lets guests look', async () => {
    greeted({});
    place.lookAt(PARK);
    await new Promise((resolve) => { setTimeout(resolve, 250); });
    assert.deepEqual(told(), [], 'guests see nothing here');
    assert.equal(place.own(), null);
    assert.deepEqual([place.eye().lat, place.eye().lon, place.eye().accuracy], [PARK.lat, PARK.lon, null]);
    greeted({ limits: { guestsLook: true } });
    place.sendPlace();
    // Neither the heading nor when: the server needs the place alone.
    assert.deepEqual(told(), [PARK]);
    place.turn(90);
    place.sendPlace();
    assert.deepEqual(told(), []);
});

test('things around are those of what is looked at, without words of how far they are', async () => {
    const { items, whereabouts } = await page('core/view.js');
    const north = { id: 'n', pose: { geopose: { position: { lat: PARK.lat + 0.001, lon: PARK.lon } } } };
    const near = { id: 'm', pose: { geopose: { position: { lat: PARK.lat + 0.0001, lon: PARK.lon } } } };
    client.thingsAround = () => [north, near];
    client.postsAround = () => [];
    const found = items();
    assert.deepEqual(found.map((/** @type {any} */ { key }) => key), ['m', 'n']);
    assert.equal(whereabouts(found[0]), '');
});

test('what a guest has looked at is not told as the place of who signs in, where that is shown to others', async () => {
    assert.deepEqual(client.core.position, PARK);
    await place.signingIn(async () => {
        assert.equal(client.core.position, null);
        greeted({ role: 'general', account: 'ada', settings: [{ key: 'privacy.sharePosition', value: 'on' }] });
    });
    /** @type {(value?: any) => void} */
    let answered = () => {};
    const shared = /** @type {boolean[]} */ ([]);
    client.share = (/** @type {boolean} */ position) => {
        shared.push(position);
        return new Promise((resolve) => { answered = resolve; }).then(() => client.core.shares({ position }));
    };
    place.sendPlace();
    place.sendPlace();
    // Not before the server has heard that this device shares nothing, which is said once.
    assert.deepEqual([told(), shared], [[], [false]]);
    answered();
    await new Promise((resolve) => { setTimeout(resolve); });
    assert.deepEqual(told(), [PARK]);
    client.core.profile.sharesPosition = undefined;
    // A sign-in that fails leaves the guest's view as it is.
    greeted({ limits: { guestsLook: true } });
    await assert.rejects(place.signingIn(async () => { throw new Error('wrong password'); }), /wrong/);
    assert.deepEqual(client.core.position, PARK);
    told();
});

test('what was looked at is there on the next visit, until somebody signs out', () => {
    assert.equal(place.lastSeen(), null, 'nobody has chosen it');
    place.lookAt({ lat: 48.13712345, lon: 11.57512345 }, { isChosen: true });
    assert.deepEqual(place.lastSeen(), { lat: 48.1371, lon: 11.5751 });
    local.forget();
    assert.equal(place.lastSeen(), null);
});

test('guests are said to see what is left in public only where the server lets them look', async () => {
    const { publicly } = await page('things/audience.js');
    greeted({});
    assert.equal(publicly('All see it.'), 'All see it.');
    greeted({ limits: { guestsLook: true } });
    assert.match(publicly('All see it.'), /^All see it\. ./);
    const guests = { en: 'guest', es: 'invitado', fr: 'invité', hi: 'अतिथि|मेहमान', zh: '访客' };
    for (const [language, word] of Object.entries(guests)) {
        const [things, posts] = ['things', 'posts'].map((folder) => JSON.parse(readFileSync(
            new URL(`../../Sources/CairnPlay/Resources/play/js/${folder}/texts/${language}.json`, import.meta.url),
            'utf8')));
        assert.match(things['guests.see'], new RegExp(word, 'i'));
        for (const text of [things['scope.all'], things['scope.about'], posts['post.about']]) {
            assert.doesNotMatch(text, new RegExp(word, 'i'), 'it is said where they are let in alone');
        }
    }
});

test('the own place is where the world is seen from, once it is known', () => {
    place.setPlace(SQUARE);
    place.lookAt(PARK);
    assert.deepEqual([place.eye().lat, place.own().lat], [SQUARE.lat, SQUARE.lat]);
    greeted({ limits: { guestsLook: true } });
    place.sendPlace();
    assert.deepEqual(told().at(-1), SQUARE);
});

test('who signs out stands nowhere any more: the page looks on at about that place', () => {
    greeted({ limits: { guestsLook: true } });
    place.setPlace({ lat: 48.13712345, lon: 11.57512345 });
    place.leavePlace();
    assert.equal(place.own(), null);
    assert.deepEqual([place.eye().lat, place.eye().lon, place.eye().accuracy], [48.1371, 11.5751, null]);
    place.sendPlace();
    assert.deepEqual(told().at(-1), { lat: 48.1371, lon: 11.5751 });
    assert.equal(place.lastSeen(), null, 'it is kept for nobody');
    // What the address says is so for a guest, too.
    const before = globalThis.location;
    Object.assign(globalThis, { location: { ...before, search: '?at=45.5,-73.5' } });
    place.setPlace(SQUARE);
    place.leavePlace();
    assert.deepEqual([place.own().lat, place.own().lon], [45.5, -73.5]);
    Object.assign(globalThis, { location: before });
});

test('the operator names the place by the box of the ground; else it is the middle of what is in it', async () => {
    const { middleOf } = await page('where/start.js');
    const features = [
        { geometry: { type: 'LineString', coordinates: [[10, 50], [12, 50]] } },
        { geometry: { type: 'Polygon', coordinates: [[[11, 48], [11, 49], [12, 49], [11, 48]]] } },
        { geometry: null },
    ];
    assert.deepEqual(middleOf({ features }), { lat: 49, lon: 11 });
    assert.deepEqual(middleOf({ features, bbox: [1, 2, 3, 4] }), { lat: 3, lon: 2 });
    assert.deepEqual(middleOf({ features, bbox: [1, 2, -5, 3, 4, 90] }), { lat: 3, lon: 2 });
    for (const none of [null, undefined, {}, { features: [] }, { bbox: ['a', 1, 2, 3] }, { bbox: [0, 200, 0, 200] },
        { bbox: [1, 2] }]) assert.equal(middleOf(none), null);
});

// MARK: - What was begun

test('what a guest has begun goes on once, by the feature that it is of', async () => {
    /** @type {any[]} */
    const done = [];
    register([{ name: 'a', begun: { reaction: async (/** @type {any} */ data) => { done.push(data); } } }]);
    assert.equal(await begun.goOn(), false);
    begun.begin('vote', { vote: 1 });
    begun.begin('reaction', { id: 'x', reaction: 'like' });
    assert.equal(await begun.goOn(), true);
    assert.equal(await begun.goOn(), false);
    assert.deepEqual(done, [{ id: 'x', reaction: 'like' }]);
    begun.begin('unknown', {});
    assert.equal(await begun.goOn(), false);
});

test('who comes back without signing in is where they were, and it does not go on by itself later', async () => {
    let shown = 0;
    register([{ name: 'a', begun: { reaction: async () => assert.fail('it was given up') } }]);
    begun.begin('reaction', {}, () => { shown += 1; });
    await begun.comeBack();
    assert.equal(shown, 1);
    assert.equal(await begun.goOn(), false);
    await begun.comeBack();
    assert.equal(shown, 1);
});

test('what goes on in a cell waits until the person has its view, not the view of the guest', async () => {
    let isThere = false;
    const view = (/** @type {string[]} */ ...names) => {
        client.core.view.topics = new Map(names.map((name) => [name, { name, isComplete: true }]));
    };
    view('5d0b5/v0000000000000');
    const waiting = begun.inView('5d0b5').then(() => { isThere = true; });
    client.emit('followed', { topic: '5d0b5/v0000000000000' });
    await new Promise(setImmediate);
    assert.equal(isThere, false);
    view('5d0b5/v0000000000000', '5d0b5');
    client.emit('followed', { topic: '5d0b5' });
    await waiting;
    assert.equal(isThere, true);
});

// MARK: - In words

test('a guest who waits for room is told so in one quiet sentence, whatever the code', async () => {
    const { speak } = await page('core/texts.js');
    const { isCrowd, words } = await page('core/refusals.js');
    const folder = new URL('../../Sources/CairnPlay/Resources/play/js/', import.meta.url);
    const core = JSON.parse(readFileSync(new URL('core/texts/en.json', folder), 'utf8'));
    Object.assign(globalThis, {
        document: { documentElement: {} }, fetch: async () => ({ json: async () => ({ core }) }),
    });
    register([]);
    await speak('en');
    for (const code of ['try_again', 'rate_limited', 'overloaded']) {
        const refusal = { code, component: 'guests', message: 'a budget is used up', retryAfter: 30_000 };
        assert.equal(isCrowd(refusal), true);
        assert.deepEqual(words(refusal), { text: core['guests.wait'], remedy: '' });
    }
    assert.equal(isCrowd({ code: 'not_signed_in', component: 'guests' }), false);
    assert.equal(isCrowd({ code: 'try_again', component: 'session' }), false);
});

test('the welcome says of the people whom a guest sees that they are the demo’s, and of the others when they are shown',
    async () => {
        Object.assign(globalThis, { ResizeObserver: class { observe() {} }, addEventListener() {} });
        const { welcomeTexts } = await page('help/welcome.js');
        const { people } = client, pause = () => new Promise((resolve) => { setTimeout(resolve, 30); });
        greeted({ limits: { guestsLook: true } });
        client.people = () => [];
        await pause();
        assert.deepEqual(welcomeTexts(), ['welcome.1', 'welcome.2', 'welcome.3']);
        client.people = () => [{ id: 'w', name: 'Walker', pose: PARK }];
        await pause();
        assert.equal(welcomeTexts()[0], 'welcome.1.walkers');
        greeted({ role: 'general', account: 'ada' });
        assert.equal(welcomeTexts()[0], 'welcome.1');
        client.people = people;
    });

test('a name alone is offered on this machine alone, and asked of the server once', async () => {
    const { opensByName } = await page('core/entry.js');
    assert.equal(await opensByName(), false);
    assert.equal(opensByName(), opensByName());
});

// MARK: - What others do

test('what others do to what is mine is said once in a while, and what I do myself is not', async () => {
    const { byMyself, news } = await page('things/mine.js');
    const thing = (/** @type {string} */ id, /** @type {number} */ count) => ({
        id, text: 'hello', reactions: [{ reaction: 'like', count }],
    });
    assert.notEqual(news(thing('a', 2), thing('a', 1)), '');
    assert.equal(news(thing('a', 3), thing('a', 2)), '', 'it was said just now');
    assert.equal(news(thing('b', 1), thing('b', 2)), '', 'somebody has taken a reaction back');
    byMyself('c');
    assert.equal(news(thing('c', 1), thing('c', 0)), '');
    assert.notEqual(news({ ...thing('d', 0), post: { score: -1 } }, { ...thing('d', 0), post: { score: 0 } }), '');
});

test('the people of a cell stay when the guests’ topic of it ends after that of the person has begun', async () => {
    const { ClientCore } = await import('../../Sources/CairnPlay/Resources/cairn/index.js');
    const core = new ClientCore({ format: 'json', random: Math.random });
    core.connectionOpened(0);
    /** @param {...any} items */
    const receive = (...items) => core.receive(JSON.stringify({ items }), 1);
    const cell = '487604c43', guests = `${cell}/v0000000000000`;
    const cursor = (/** @type {string} */ topic) => ({ topic, epoch: '1', sequence: '1' });
    receive({ reply: { id: core.helloID, welcome: { role: 'general', account: '060na1800cy9a' } } });
    receive({ snapshot: { cursor: cursor(guests), first: true, last: true } });
    receive({ presence: { cell, keyframe: true, joined: [{ slot: 1, id: '060na1800cy9n', name: 'Walker' }] } });
    receive({ snapshot: { cursor: cursor(cell), first: true, last: true } },
        { presence: { cell, keyframe: true, joined: [{ slot: 7, id: '060na1800cy9n', name: 'Dan' }] } });
    receive({ unfollowed: { topic: guests } });
    assert.deepEqual(core.people(1).map((/** @type {any} */ { name }) => name), ['Dan']);
    // With the last topic of the cell they are out of view.
    receive({ unfollowed: { topic: cell } });
    assert.deepEqual(core.people(1), []);
});

test('where tours begin is shown to those who may walk one, when what is around is there', async (context) => {
    const { beginnings, followBeginnings } = await page('tours/beginnings.js');
    const { nowDrawn, undraw } = await page('tours/drawn.js');
    const asked = /** @type {any[]} */ ([]), { request, view } = client;
    const tour = (/** @type {string} */ id, /** @type {any} */ start) =>
        ({ id, code: id, name: { words: [{ language: 'en', text: `Tour ${id}` }] }, start });
    client.request = async (/** @type {string} */ kind, /** @type {any} */ body) => {
        asked.push([kind, body]);
        return { tours: [tour('a', SQUARE), tour('b', { ...SQUARE, lat: SQUARE.lat + 0.1 }), tour('c', undefined)] };
    };
    Object.defineProperty(client, 'isLive', { value: true, configurable: true });
    greeted({ limits: { guestsLook: true } });
    place.setPlace(SQUARE);
    view.topics.set('4876', { isComplete: false });
    followBeginnings();
    const seen = async () => {
        app.tell('view');
        await new Promise((then) => { setImmediate(then); });
        return beginnings().map((/** @type {any} */ { key, instance }) => [key, instance.name]);
    };
    assert.deepEqual([await seen(), asked], [[], []], 'what is around comes first');
    view.topics.set('4876', { isComplete: true });
    assert.deepEqual(await seen(), [['tour:a', 'Tour a']]);
    await seen();
    assert.deepEqual(asked, [['listTours', { near: SQUARE }]], 'once');
    // Beside a tour that is looked at no other one is shown, nor to users of organisations, who draw there.
    nowDrawn(() => true, () => {});
    assert.deepEqual(await seen(), []);
    undraw();
    assert.deepEqual(await seen(), [['tour:a', 'Tour a']]);
    greeted({ role: 'organisation' });
    assert.deepEqual(await seen(), []);
    greeted({ limits: {} });
    assert.deepEqual(await seen(), [], 'guests see nothing here');
    place.setPlace({ ...SQUARE, lat: SQUARE.lat + 0.1 });
    greeted({ limits: { guestsLook: true } });
    assert.deepEqual((await seen()).map(([key]) => key), ['tour:b']);
    assert.equal(asked.length, 2, 'and again elsewhere');
    app.tell('language');
    await seen();
    assert.equal(asked.length, 3, 'and in another language, in which the server names them');
    // An earlier question that is refused late puts off no later one.
    const both = [awaited(), awaited()];
    for (const [n, lat] of [SQUARE.lat, SQUARE.lat + 0.1].entries()) {
        client.request = () => both[n].promise;
        place.setPlace({ ...SQUARE, lat });
        await seen();
    }
    await both[1].arrive({ tours: [tour('b', { ...SQUARE, lat: SQUARE.lat + 0.1 })] });
    await both[0].fail(new Error('late'));
    client.request = async () => { throw new Error('asked again'); };
    const later = performance.now() + 120_000;
    context.mock.method(performance, 'now', () => later);
    context.mock.method(client, 'request');
    await seen();
    assert.equal(client.request.mock.callCount(), 0, 'an answer counts longer than a refusal');
    delete client.isLive;
    view.topics.delete('4876');
    client.request = request;
});
