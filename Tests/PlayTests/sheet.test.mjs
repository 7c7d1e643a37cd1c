// The sheet and the page of a place under Node, by the order of what happens: what is loaded, answered or drawn anew
// between what a person does and what it opens.

import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

import { Element, awaited, open } from './document.mjs';
import { History, page } from './page.mjs';

// The channel between tabs would keep Node alive, and so would the clock of a message that stays.
globalThis.BroadcastChannel = /** @type {any} */ (class extends EventTarget { postMessage() {} close() {} });
const { setInterval } = globalThis;
globalThis.setInterval = /** @type {any} */ ((/** @type {any[]} */ ...all) => setInterval(...all).unref());
const IDS = ['page', 'stage', 'sheet', 'toasts', 'said', 'warned', 'heading'];
/** @type {(id: string) => any} */
let byId = open(...IDS).byId;
globalThis.history = /** @type {any} */ (new History());
const { closeSheet, closeSheetOf, openSheet, sheetKind, ticket } = await page('components/sheet.js');
const { opener } = await page('components/later.js');
const { showPage } = await page('components/showpage.js');

beforeEach(() => {
    closeSheet();
    ({ byId } = open(...IDS));
});

/** What the sheet is called; empty while it is closed. */
const shown = () => (sheetKind() ? byId('sheet').querySelector('h2').textContent : '');

/**
 * A part of the page that comes when the test says so, and opens a sheet of this name.
 * @param {string} name
 */
function part(name) {
    const module = awaited();
    const opens = () => openSheet(name, [], { kind: name });
    return { tapped: opener(() => module.promise), arrives: () => module.arrive(opens) };
}

test('of two that are tapped the later one is shown, whichever part of the page arrives last', async () => {
    const [thing, post] = [part('thing'), part('post')];
    thing.tapped();
    post.tapped();
    await post.arrives();
    assert.equal(shown(), 'post');
    await thing.arrives();
    assert.equal(shown(), 'post');
});

test('a part that arrives opens nothing for who has gone elsewhere, or has closed the sheet', async () => {
    const [thing, again] = [part('thing'), part('again')];
    thing.tapped();
    globalThis.location.hash = '#/profile';
    await thing.arrives();
    assert.equal(shown(), '');
    openSheet('list', [], { kind: 'list' });
    again.tapped();
    byId('sheet').querySelector('button').click();
    await again.arrives();
    assert.equal(shown(), '');
});

test('a sheet that opens by itself does not keep away what the person waits for', async () => {
    const thing = part('thing');
    thing.tapped();
    openSheet('hello', [], { kind: 'hello', focus: false });
    await thing.arrives();
    assert.equal(shown(), 'thing');
});

test('an answer closes the sheet that it was asked for in, and no other one', () => {
    const body = new Element('div'), other = new Element('div');
    openSheet('mine', [body], { kind: 'mine' });
    openSheet('another', [other], { kind: 'another' });
    closeSheetOf(body);
    assert.equal(shown(), 'another');
    closeSheetOf(other);
    assert.equal(shown(), '');
});

/**
 * A page of settings, whose field of the language begins so far below its top.
 * @param {number} below pixels
 */
function settings(below) {
    const content = new Element('div'), field = new Element('select');
    field.dataset.key = 'accessibility.language';
    field.top = () => below - byId('page').scrollTop;
    content.append(field);
    return { content, field };
}

test('a page that is drawn anew keeps its field and where it was on the screen, another one begins at its top', () => {
    globalThis.location.hash = '#/profile/settings';
    const [before, after, elsewhere] = [settings(400), settings(430), settings(400)];
    showPage(before.content);
    before.field.focus();
    byId('page').scrollTop = 250;
    showPage(after.content);
    assert.equal(document.activeElement, after.field);
    assert.equal(after.field.top(), 150);
    globalThis.location.hash = '#/profile/friends';
    showPage(elsewhere.content);
    assert.equal(byId('page').scrollTop, 0);
});

/** The lines of a list, each 100 pixels high, from one of them on. @param {number} from @param {number} count */
const lines = (from, count) => Array.from({ length: count }, (_, n) => {
    const line = new Element('button');
    line.top = () => 100 * (from + n) - byId('page').scrollTop;
    return line;
});

/** The page shows 300 pixels and scrolls as far as its lines reach. */
function scrolls() {
    const shown = byId('page');
    let top = 0;
    const most = () => Math.max(0, 100 * shown.querySelectorAll('button').length - 300);
    Object.defineProperty(shown, 'scrollTop', { get: () => { top = Math.min(top, most()); return top; },
        set: (value) => { top = Math.max(0, Math.min(value, most())); } });
    return shown;
}

test('a page whose content comes later is where it was when that is there, with what had the focus', async () => {
    const { arriving } = await page('components/arriving.js');
    globalThis.location.hash = '#/profile/friends';
    const shown = scrolls();
    /** Draws twenty lines, so many of them at once and the others when they arrive. */
    const draw = (atOnce = 0) => {
        const content = awaited(), body = new Element('div'), rest = new Element('div');
        body.append(...lines(0, atOnce), arriving(() => content.promise));
        rest.append(...lines(atOnce, 20 - atOnce));
        showPage(body);
        return () => content.arrive(rest);
    };
    await draw()();
    const line = () => shown.querySelectorAll('button')[12];
    line().focus();
    shown.scrollTop = 1000;
    const again = draw();
    assert.equal(shown.scrollTop, 0);
    await again();
    assert.equal(shown.scrollTop, 1000);
    assert.equal(document.activeElement, line());
    // Drawn anew once more before that has come, such as by a welcome after the change of language.
    draw();
    await draw()();
    assert.equal(shown.scrollTop, 1000);
    assert.equal(document.activeElement, line());
    // Who is elsewhere by then keeps the focus there, and who scrolls stays where they are.
    const elsewhere = draw();
    byId('sheet').focus();
    await elsewhere();
    assert.equal(shown.scrollTop, 1000);
    assert.equal(document.activeElement, byId('sheet'));
    const scrolled = draw(10);
    assert.equal(shown.scrollTop, 700);
    shown.scrollTop = 200;
    await scrolled();
    assert.equal(shown.scrollTop, 200);
    // A page that has become shorter is at its end, and what is added to it by a tap later does not move it.
    shown.scrollTop = 1700;
    const { pages } = await page('components/list.js'), more = awaited();
    const content = new Element('div'), added = pages(() => more.promise, () => lines(5, 1)[0], '');
    content.append(...lines(0, 5), arriving(async () => new Element('div')), added.element);
    added.element.removeAttribute('aria-busy');
    showPage(content);
    await awaited().arrive(undefined);
    assert.equal(shown.scrollTop, 300);
    await more.arrive({ items: [1, 2, 3] });
    assert.equal(shown.scrollTop, 300);
});

test('what a tap beside a new post offers goes with its sheet', async () => {
    const { writePost } = await page('posts/posts.js'), { tap } = await page('map/taps.js');
    const client = await (await page('core/app.js')).makeClient();
    client.core.welcome = { role: 'general', account: 'ada', limits: {}, settings: [] };
    writePost();
    assert.equal(tap({ lat: 1, lon: 1 }), true);
    assert.equal(byId('toasts').children.length, 1);
    closeSheet();
    assert.equal(byId('toasts').children.length, 0);
});

test('what a tap beside a new post offers goes with its sheet, also where it waits behind a refusal', async () => {
    const { writePost } = await page('posts/posts.js'), { tap } = await page('map/taps.js');
    const { toast } = await page('components/message.js');
    const refusal = toast('No.', { kind: 'bad' });
    writePost();
    tap({ lat: 1, lon: 1 });
    tap({ lat: 2, lon: 2 });
    closeSheet();
    refusal.remove();
    assert.equal(byId('toasts').children.length, 0);
});

test('who goes on as a guest keeps the sheet that they have opened meanwhile', async () => {
    const { showSuspended } = await page('frame/suspended.js'), connected = awaited();
    const client = await (await page('core/app.js')).makeClient();
    client.signOut = async () => closeSheet();
    showSuspended({ code: 'account_suspended' }, () => connected.promise);
    byId('sheet').querySelector('button.accent').click();
    await awaited().arrive(undefined);
    assert.equal(shown(), '', 'the page is emptied');
    openSheet('list', [], { kind: 'list' });
    await connected.arrive(undefined);
    assert.equal(shown(), 'list');
});

/**
 * A heart is in view, in a cell that the server shows.
 * @param {(key: string) => unknown} opens shows it
 */
async function heart(opens) {
    const { register } = await page('core/extensions.js'), { changed } = await page('core/view.js');
    const client = await (await page('core/app.js')).makeClient();
    const open = opener(async () => (/** @type {any} */ { key }) => opens(key));
    register([{ name: 'a', kinds: { thing: { open } } }]);
    client.thingsAround = () => [{ id: 'heart', object: 'preset:heart',
        pose: { geopose: { position: { lat: 1, lon: 1 } } } }];
    client.postsAround = () => [];
    client.view.topics.set('4876/v', { name: '4876/v', isComplete: true });
    changed();
    return client;
}

test('what a guest has begun takes nothing away that they have tapped meanwhile', async () => {
    const { goOnReacting } = await page('things/details.js');
    const client = await heart((key) => openSheet(key, [], { kind: 'details' }));
    const reacted = awaited(), post = part('post');
    client.request = () => reacted.promise;
    goOnReacting({ id: 'heart', cell: '4876', reaction: 'love' });
    post.tapped();
    await reacted.arrive({});
    await post.arrives();
    assert.equal(shown(), 'post');
    assert.equal(byId('toasts').children.length, 1, 'that it counts is said');
});

test('what a guest has begun is shown when it is done, and only said to who is at something else by then', async () => {
    const { showDone } = await page('components/details.js');
    const opened = /** @type {string[]} */ ([]);
    await heart((key) => opened.push(key));
    await showDone('heart', 'It counts.', ticket());
    assert.deepEqual(opened, ['heart']);
    openSheet('list', [], { kind: 'list' });
    await showDone('heart', 'It counts.', ticket());
    assert.deepEqual([opened, shown()], [['heart'], 'list']);
    const [message] = byId('toasts').children;
    assert.match(message.textContent, /It counts\./);
    message.querySelector('button').click();
    await awaited().arrive(undefined);
    assert.deepEqual(opened, ['heart', 'heart']);
});

test('a thing whose author is shown by name has a button that blocks them', async () => {
    const { openThing } = await page('things/details.js'), { items } = await page('core/view.js');
    const client = await heart(() => {}), asked = /** @type {any[]} */ ([]);
    client.core.welcome = { role: 'general', account: 'ada', limits: {}, settings: [] };
    client.core.profile.token = 'token';
    let placerName = '';
    client.select = async (/** @type {any} */ instance) => ({ instance, placerName });
    client.request = async (/** @type {string} */ kind, /** @type {any} */ body) => {
        asked.push([kind, body]);
        return { users: [{ name: 'Benno', account: 'c' }, { name: 'Ben', account: 'b' }] };
    };
    Object.assign(Element.prototype, /** @type {any} */ ({ showModal() {}, close(/** @type {string} */ value) {
        this.returnValue = value;
        this.dispatchEvent(new Event('close'));
    } }));
    const [item] = items();
    await openThing(item, {});
    const button = () => byId('sheet').querySelector('button.quiet-danger');
    assert.equal(button(), null, 'nobody is known');
    placerName = 'Ben';
    await openThing(item, {});
    button().click();
    assert.deepEqual(asked, [], 'it is asked first');
    /** @type {any} */ (document.querySelector('dialog button.danger')).click();
    await awaited().arrive(undefined);
    assert.deepEqual(asked, [['findUsers', { prefix: 'Ben' }], ['block', { account: 'b' }]]);
    assert.equal(sheetKind(), '');
});

test('the list counts what it shows: where not all things are shown, all posts may be', async () => {
    const { openList } = await page('around/list.js'), { changed } = await page('core/view.js');
    const client = await heart(() => {}), { lookAt } = await page('core/place.js');
    client.core.welcome = { role: 'guest', limits: {}, settings: [] };
    const there = { lat: 1, lon: 1 }, beside = { lat: 1.0001, lon: 1 };
    const some = (/** @type {number} */ n, /** @type {(id: string) => any} */ one) =>
        Array.from({ length: n }, (_, number) => one(`i${number}`));
    client.thingsAround = () => some(1_600, (id) => (
        { id, object: 'preset:heart', pose: { geopose: { position: beside } } }));
    client.postsAround = () => some(3, (id) => ({ id: `p${id}`, text: 'Hello', post: { place: there } }));
    lookAt(there);
    changed();
    openList();
    const said = () => byId('sheet').querySelector('#list-body p').textContent;
    const press = (/** @type {string} */ tab) => byId('sheet').querySelector(`[data-tab=${tab}]`).click();
    press('things');
    assert.equal(said(), 'list.nearest');
    press('posts');
    assert.equal(said(), 'list.count.looked');
    // A guest is told that people are shown to those who have a name, and asked for one there.
    press('people');
    assert.equal(said(), 'list.people.guest');
    assert.notEqual(byId('sheet').querySelector('#list-body .entering'), null);
});

test('where tours begin is in the list, and is neither counted, said as ahead nor named first', async (context) => {
    const { openList } = await page('around/list.js'), { changed, itemAt } = await page('core/view.js');
    const { register } = await page('core/extensions.js'), { Labels } = await page('realm/labels.js');
    const { sayAhead } = await page('realm/ahead.js'), { lookAt } = await page('core/place.js');
    const client = await heart(() => {}), tours = () => [0, 0.001].map((by) =>
        itemAt('tour', `tour:${by}`, { id: `${by}`, name: 'A tour' }, { lat: 1.002 + by, lon: 1 }));
    client.core.welcome = { role: 'guest', limits: {}, settings: [] };
    register([{ name: 'a', items: tours, kinds: { thing: {}, tour: { isAfar: true, sight: 600 } } }]);
    client.thingsAround = () => [];
    lookAt({ lat: 1, lon: 1 });
    changed();
    openList();
    byId('sheet').querySelector('[data-tab=all]').click();
    const said = () => byId('sheet').querySelector('#list-body p').textContent;
    assert.equal(said(), 'list.nothing.all');
    assert.equal(byId('sheet').querySelectorAll('#list-body li').length, 2, 'it is there all the same');
    context.mock.timers.enable({ apis: ['setTimeout'] });
    sayAhead();
    context.mock.timers.tick(1_000);
    assert.equal(byId('said').textContent, 'realm.facing');
    client.thingsAround = () => [{ id: 'heart', object: 'preset:heart', text: 'Hi',
        pose: { geopose: { position: { lat: 1.0001, lon: 1 } } } }];
    changed();
    const labels = new Labels(/** @type {any} */ ({}), byId('stage'), () => {});
    labels.choose();
    assert.deepEqual(labels.wanted.map((/** @type {any} */ { key }) => key), ['heart', 'tour:0', 'tour:0.001']);
});
