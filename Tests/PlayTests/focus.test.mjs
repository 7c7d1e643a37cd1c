// What who uses the keyboard and a screen reader has of the page while others act: where the focus stays, what is said
// and stays true, and how a message is reached.

import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

import { Element, awaited, open } from './document.mjs';
import { History, page } from './page.mjs';

// The channel between tabs would keep Node alive, and so would the clock of a message that stays.
globalThis.BroadcastChannel = /** @type {any} */ (class extends EventTarget { postMessage() {} close() {} });
/** @type {(() => void)[]} what is done each second */
const clocks = [];
const seconds = (/** @type {number} */ count) => {
    for (let n = 0; n < count; n += 1) clocks.forEach((tick) => tick());
};
globalThis.setInterval = /** @type {any} */ ((/** @type {() => void} */ tick) => clocks.push(tick));
globalThis.clearInterval = /** @type {any} */ ((/** @type {number} */ n) => { delete clocks[n - 1]; });
const IDS = ['page', 'stage', 'sheet', 'toasts', 'said', 'warned', 'heading'];
/** @type {(id: string) => any} */
let byId = open(...IDS).byId;
globalThis.history = /** @type {any} */ (new History());
Object.assign(Element.prototype, /** @type {any} */ ({ showModal() {}, close(/** @type {string} */ value) {
    this.returnValue = value;
    this.dispatchEvent(new Event('close'));
} }));
const app = await page('core/app.js'), client = await app.makeClient();
const { arrange } = await page('core/page.js');
const { showPage } = await page('components/showpage.js');
const message = await page('components/message.js');
const ADA = { account: 'a', name: 'Ada' }, BEN = { account: 'b', name: 'Ben' }, EVE = { account: 'e', name: 'Eve' };

/** What the server answers, by the kind of the request. @type {Record<string, any>} */
let answers = {};
/** @type {[string, any][]} */
let asked = [];
client.request = async (/** @type {string} */ kind, /** @type {any} */ body) => {
    asked.push([kind, body]);
    return answers[kind] ?? {};
};
const settled = () => awaited().arrive(undefined);
const focused = () => /** @type {any} */ (document.activeElement);
/** The button of this text in the entry of somebody. @param {{account: string}} user @param {string} text */
const button = ({ account }, text) => byId('page').querySelector(`[data-account=${account}]`)
    .querySelectorAll('button').find((/** @type {any} */ one) => one.textContent === text);

beforeEach(() => {
    // What an earlier test has said is read.
    message.noteInput({ type: 'pointerdown' });
    byId('page').focus();
    seconds(100);
    ({ byId } = open(...IDS));
    [answers, asked] = [{}, []];
    client.core.welcome = { account: 'm', role: 'general', limits: {}, settings: [] };
});

test('an entry with the focus is not moved where the order changes, and gives the focus on where it goes', () => {
    const list = new Element('ul'), moved = /** @type {string[]} */ ([]), { insertBefore } = list;
    byId('page').append(list);
    list.insertBefore = function put(node, before) {
        moved.push(node.dataset.key);
        insertBefore.call(this, node, before);
    };
    const draw = (/** @type {string} */ keys) => {
        moved.length = 0;
        arrange(list, [...keys].map((key) => ({ key })), () => {
            const line = new Element('li');
            line.append(new Element('button'));
            return line;
        }, () => {});
        assert.equal(list.children.map(({ dataset }) => dataset.key).join(''), keys);
    };
    draw('abcd');
    list.children[2].children[0].focus();
    for (const order of ['cabd', 'dcba', 'abdxc', 'c', 'xycz', 'zcy']) {
        draw(order);
        assert.ok(!moved.includes('c'), order);
        assert.equal(focused().closest('li').dataset.key, 'c');
    }
    draw('zy');
    assert.equal(focused().closest('li').dataset.key, 'y');
    draw('z');
    assert.equal(focused().closest('li').dataset.key, 'z');
});

test('the page of friends keeps the focus while others act', async () => {
    const { friendsPage } = await page('people/friends.js');
    answers = { listFriends: { friends: [ADA, BEN, EVE] } };
    showPage(friendsPage());
    await settled();
    const notified = async (/** @type {any} */ now) => {
        answers = { listFriends: now };
        client.emit('notified', {});
        await settled();
    };
    button(BEN, 'unfriend').focus();
    await notified({ friends: [EVE, BEN, ADA] });
    assert.equal(focused(), button(BEN, 'unfriend'), 'the same button of the same person');
    // Whose button goes: the entry that is in its place has the focus, which does nothing by a key.
    await notified({ friends: [EVE, ADA] });
    assert.deepEqual([focused().localName, focused().dataset.account], ['li', 'a']);
    await notified({ friends: [] });
    assert.deepEqual([focused().localName, focused().textContent], ['h3', 'profile.friends']);
});

test('who is added at once is not thrown out by the next key, and removing a member is asked first', async () => {
    const { realmsPage } = await page('realms/page.js');
    const realm = { id: 'r', name: 'Nest', standing: 'owner' };
    const inside = (/** @type {any[]} */ ...users) => ({ members: users.map((user) => ({ user })) });
    answers = { listRealms: { realms: [realm] }, listFriends: { friends: [BEN, EVE] }, listMembers: inside() };
    showPage(realmsPage(['r']));
    await settled();
    answers.listMembers = inside(BEN);
    button(BEN, 'members.add.now').focus();
    button(BEN, 'members.add.now').click();
    await settled();
    assert.deepEqual([focused().localName, focused().dataset.account], ['li', 'b']);
    button(BEN, 'remove').click();
    await settled();
    assert.ok(!asked.some(([kind]) => kind === 'removeMember'));
    /** @type {any} */ (document.querySelector('dialog button.danger')).click();
    await settled();
    assert.ok(asked.some(([kind]) => kind === 'removeMember'));
    // What is typed stays, and holds nothing else back; an invited friend who comes in is told.
    button(EVE, 'invite').click();
    await settled();
    const form = byId('page').querySelector('form');
    form.dispatchEvent(new Event('input'));
    answers.listMembers = inside(BEN, EVE);
    client.emit('realmChanged', { id: 'r' });
    await settled();
    assert.equal(byId('page').querySelector('form'), form);
    assert.notEqual(button(EVE, 'remove'), undefined);
    seconds(4);
    assert.equal(byId('toasts').querySelector('span').textContent, 'members.in');
    // After it is saved the focus is where it was.
    const save = form.querySelectorAll('button').at(-1);
    save.focus();
    form.elements = { namedItem: () => ({ value: 'Nest', checked: false, closest: () => null }) };
    form.dispatchEvent(Object.assign(new Event('submit')));
    await settled();
    assert.equal(focused(), save);
    answers.listFriends = {};
    answers.listMembers = inside();
    client.emit('realmChanged', { id: 'r' });
    await settled();
    assert.ok(byId('page').textContent.includes('friends.none'));
});

test('what is said of sharing follows what counts, wherever it is switched', async () => {
    const { settingsPage } = await page('settings/settings.js'), { apply } = await page('core/settings.js');
    Object.defineProperty(client, 'isSignedIn', { value: true, configurable: true });
    Object.defineProperty(client, 'settings', { value: new Map(), configurable: true });
    const put = async (/** @type {Record<string, string>} */ changed) => {
        for (const [key, value] of Object.entries(changed)) client.settings.set(key, value);
        await apply();
    };
    client.saveSettings = put;
    showPage(settingsPage());
    const field = (/** @type {string} */ key) => byId('page').querySelector(`[data-key="${key}"]`);
    const said = (/** @type {string} */ key) => field(key).parentNode.querySelector('.done')?.textContent;
    const choose = async (/** @type {string} */ key, /** @type {string} */ value) => {
        field(key).value = value;
        field(key).dispatchEvent(new Event('change'));
        await settled();
    };
    const share = 'privacy.sharePosition';
    await put({ [share]: 'on' });
    await choose(share, 'off');
    assert.equal(said(share), 'sharing.off');
    await put({ [share]: 'on' });
    assert.deepEqual([field(share).value, said(share)], ['on', 'sharing.on']);
    await put({ [share]: 'off' });
    assert.deepEqual([field(share).value, said(share)], ['off', 'sharing.off']);
    delete client.isSignedIn;
});

test('a page that is drawn anew gives the focus to the same entry, and to no other one', () => {
    globalThis.location.hash = '#/profile/friends';
    const draw = (/** @type {string} */ accounts) => {
        const list = new Element('ul');
        for (const account of accounts) {
            const line = new Element('li'), remove = new Element('button');
            line.dataset.account = account;
            line.append(remove);
            list.append(line);
        }
        showPage(list);
    };
    draw('abc');
    byId('page').querySelectorAll('button')[2].focus();
    draw('cab');
    assert.equal(focused().parentNode.dataset.account, 'c');
    draw('ab');
    assert.equal(focused(), byId('heading'));
});

test('a part that is refused, or that was never waited for, moves the page at no later tap', async () => {
    const { arriving } = await page('components/arriving.js'), { arrive } = await page('components/showpage.js');
    globalThis.location.hash = '#/tours';
    const shown = byId('page');
    let top = 0, most = 1000;
    Object.defineProperty(shown, 'scrollTop', { get: () => top, set: (value) => { top = Math.min(value, most); } });
    const draw = (/** @type {boolean} */ waits) => {
        const content = awaited(), body = new Element('div'), part = new Element('div');
        body.append(waits ? arriving(() => content.promise) : '', part);
        showPage(body);
        return { part, refuse: () => content.fail({ code: 'internal' }) };
    };
    for (const waits of [true, false]) {
        most = 1000;
        draw(false);
        shown.scrollTop = 800;
        most = 100;
        const { part, refuse } = draw(waits);
        if (waits) await refuse();
        most = 1000;
        arrive(part, () => {});
        assert.equal(shown.scrollTop, 100, String(waits));
    }
});

test('a message with something to do stays while keys are used, and a key leads to it', () => {
    const text = () => byId('toasts').querySelector('span')?.textContent;
    message.noteInput({ type: 'keydown' });
    message.toast('Placed.', { action: { text: 'Show it', run() {} } });
    seconds(60);
    assert.equal(text(), 'Placed.');
    message.toMessage();
    assert.equal(focused().textContent, 'Show it');
    seconds(60);
    assert.equal(text(), 'Placed.', 'nor does it go from under the focus');
    byId('page').focus();
    // News take its place, and what has nothing to do goes by itself.
    message.toast('News', { isNews: true });
    seconds(4);
    assert.equal(text(), 'News');
    seconds(10);
    assert.equal(text(), undefined);
    message.toast('Placed.', { action: { text: 'Show it', run() {} } });
    message.noteInput({ type: 'pointerdown' });
    seconds(10);
    assert.equal(text(), undefined);
});

test('the return of the connection is said in place of the cut, and a short cut not at all', async () => {
    const { followConnection } = await page('frame/connection.js');
    followConnection();
    const back = () => {
        Object.defineProperty(client, 'isLive', { value: true, configurable: true });
        client.emit('state', {});
    };
    client.emit('disconnected', { after: 100, reason: '', code: 1006 });
    back();
    assert.equal(byId('said').textContent, '');
    client.emit('disconnected', { after: 19_000, reason: '', code: 1006 });
    assert.equal(byId('said').textContent, 'disconnected.after');
    back();
    assert.equal(byId('said').textContent, 'state.live');
    delete client.isLive;
});

test('the welcome of a guest stays where the connection goes and comes', async () => {
    const { help } = await page('help/feature.js'), { PLACES } = await page('core/router.js');
    PLACES.push('map');
    globalThis.location.hash = '#/map';
    client.core.welcome = { role: 'guest', limits: { guestsLook: true }, settings: [] };
    const live = (/** @type {boolean} */ is) =>
        Object.defineProperty(client, 'isLive', { value: is, configurable: true });
    live(false);
    assert.equal(await help.banner.draw(), false, 'not before the world is there');
    live(true);
    const card = await help.banner.draw();
    assert.ok(card instanceof Element);
    live(false);
    assert.equal(await help.banner.draw(), card);
    delete client.isLive;
});

test('the title of the document names the page, on the map the place', async () => {
    const { entitle, PLACES } = await page('core/router.js');
    PLACES.push('profile');
    byId('heading').textContent = 'Profile';
    const content = new Element('div'), heading = new Element('h2');
    heading.textContent = 'Friends';
    content.append(heading);
    globalThis.location.hash = '#/profile/friends';
    showPage(content);
    assert.equal(document.title, 'Friends – Cairn');
    globalThis.location.hash = '#/profile';
    entitle();
    assert.equal(document.title, 'Profile – Cairn');
});
