// Modules of the operators' console, some of them with as much of a document as they need.

import assert from 'node:assert/strict';
import test from 'node:test';

import { awaited, open } from './document.mjs';

/**
 * @param {string} name
 * @returns {Promise<any>}
 */
const console = (name) => import(`../../Sources/CairnOperators/Console/Resources/${name}.js`);

/** A server that names everybody, and has all commands that it was asked. */
function namer() {
    const asked = /** @type {string[]} */ ([]);
    const ask = async (/** @type {string} */ command) => {
        asked.push(command);
        const ids = command.split(' ').slice(1);
        return { names: ids.map((id) => (id === 'gone' ? { id, account: null, name: null }
            : { id, account: id.replace('session', 'account'), name: `Name of ${id}` })) };
    };
    return { ask, asked };
}

test('names are asked for once, by fifty, and told to all who wait', async () => {
    const { Names } = await console('names');
    const people = new Names();
    const { ask, asked } = namer();
    const told = /** @type {string[]} */ ([]);
    people.addEventListener('named', ({ detail }) => told.push(detail));
    assert.deepEqual([people.has('session1'), people.of('session1')], [false, null]);
    assert.equal(people.called('session1'), 'session1');
    await people.look(['session1', 'gone', 'session1'], ask);
    assert.deepEqual(asked, ['names session1 gone']);
    assert.equal(people.called('session1'), 'Name of session1 (session1)');
    assert.equal(people.of('account1'), 'Name of session1', 'a session names its account');
    assert.deepEqual([people.has('gone'), people.of('gone'), people.called('gone')], [true, null, 'gone']);
    assert.deepEqual(told, ['session1', 'account1', 'gone']);
    await people.look(['gone', 'account1'], ask);
    assert.equal(asked.length, 1, 'who was named is not looked up again: it would be entered in the record again');
    await people.look(Array.from({ length: 51 }, (_, number) => `a${number}`), ask);
    assert.deepEqual(asked.slice(1).map((command) => command.split(' ').length - 1), [50, 1]);
});

test('who presses a button twice has looked once, and may look again where no answer came', async () => {
    const { Names } = await console('names');
    const people = new Names();
    const { ask, asked } = namer();
    await Promise.all([people.look(['a1', 'a2'], ask), people.look(['a2', 'a1', 'a3'], ask)]);
    assert.deepEqual(asked, ['names a1 a2', 'names a3']);
    await assert.rejects(people.look(['a4'], async () => { throw new Error('gone'); }), /gone/);
    await people.look(['a4'], ask);
    assert.equal(people.of('a4'), 'Name of a4');
});

test('names are bounded, and the first that were told are forgotten', async () => {
    const { Names } = await console('names');
    const people = new Names();
    for (let number = 0; number <= 2_000; number += 1) people.learn(`a${number}`, 'Ada');
    assert.equal(people.has('a0'), false);
    assert.equal(people.of('a1'), 'Ada');
    people.learnPerson({ account: 'b', name: 'Bob', sessions: [{ session: 's' }] });
    assert.deepEqual([people.of('b'), people.of('s')], ['Bob', 'Bob']);
});

test('a page leads back to the page before it, and whoever comes again has not gone further', async () => {
    const { Trail } = await console('trail');
    const trail = new Trail();
    const page = (/** @type {string} */ hash) => ({ hash, title: `Title of ${hash}` });
    assert.equal(trail.go('#cell/1', null), null);
    assert.deepEqual(trail.go('#thing/2', page('#cell/1')), page('#cell/1'));
    assert.deepEqual(trail.go('#account/3', page('#thing/2')), page('#thing/2'));
    assert.deepEqual(trail.go('#account/3', page('#account/3')), page('#thing/2'));
    assert.deepEqual(trail.go('#thing/2', page('#account/3')), page('#cell/1'));
    assert.equal(trail.go('', page('#thing/2')), null);
    assert.equal(trail.go('#thing/0', null), null, 'from the overview there is no page to go back to');
    for (let number = 1; number < 50; number += 1) trail.go(`#thing/${number}`, page(`#thing/${number - 1}`));
    for (let number = 48; number >= 30; number -= 1) {
        assert.ok(trail.go(`#thing/${number}`, page(`#thing/${number + 1}`)));
    }
    assert.equal(trail.go('#thing/29', page('#thing/30')), null, 'twenty are remembered');
});

test('what a column means is said as a sentence', async () => {
    const { columnMeanings } = await console('meanings');
    const said = columnMeanings([
        { title: 'Cell', meaning: 'names the cell' }, { title: 'P99', meaning: 'how long turns took' }]);
    assert.deepEqual(said[0], ['P99', 'How long turns took.']);
    assert.ok(said.every((/** @type {string[]} */ [word, meaning]) => word && meaning.endsWith('.')));
});

// MARK: - What is asked for

/** A server that answers when the test says so. `asked` has its questions, with what answers each. */
function slow() {
    const asked = /** @type {({command: string} & ReturnType<typeof awaited>)[]} */ ([]);
    const ask = (/** @type {string} */ command) => {
        const answer = awaited();
        asked.push({ command, ...answer });
        return answer.promise;
    };
    return { ask, asked };
}

/** The button with this text. */
const button = (/** @type {any} */ part, /** @type {string} */ text) =>
    part.querySelectorAll('button').find((/** @type {any} */ one) => one.textContent === text);
const submit = (/** @type {any} */ form) => form.dispatchEvent(new Event('submit'));

test('a second click on a page of the audit log waits for the first, and a new search takes its place', async () => {
    const { byId } = open('audit', 'audit-card');
    const { Audit } = await console('audit'), link = slow(), card = byId('audit');
    const entry = { at: 0, what: 'suspend', reason: 'noise', operator: 'op', account: 'a' };
    const page = (/** @type {string | null} */ next) => ({ audit: [entry], next, actions: [] });
    new Audit(link, new Set(['audit'])).begin();
    await link.asked[0].arrive(page('first'));
    const older = button(card, 'Older');
    older.click();
    older.click();
    assert.equal(link.asked.length, 2);
    assert.match(link.asked[1].command, / before=first$/);
    await link.asked[1].arrive(page('second'));
    assert.equal(card.querySelector('[role="status"]').textContent, 'Page 2: 1 entry');
    older.click();
    assert.match(link.asked[2].command, / before=second$/);
    submit(card.querySelector('form'));
    assert.doesNotMatch(link.asked[3].command, /before/);
    await link.asked[3].arrive(page(null));
    await link.asked[2].arrive(page('third'));
    assert.equal(card.querySelector('[role="status"]').textContent, 'Page 1: 1 entry');
    assert.equal(older.disabled, true);
});

test('a search that meets another one keeps what it has found, and the way on', async () => {
    const { byId } = open('seek');
    const { Finder } = await console('find'), link = slow(), form = byId('seek');
    new Finder(link);
    form.querySelector('input').value = 'two words';
    submit(form.querySelector('form'));
    const hits = ['1', '2'].map((id) => ({ kind: 'object', id, title: 'words', where: 'there', show: `thing ${id}` }));
    await link.asked[0].arrive({ hits, cut: false, texts: { read: 20_000, next: 'n' } });
    const further = button(form, 'Search older texts');
    further.click();
    assert.equal(link.asked[1].command, 'texts before=n two words');
    await link.asked[1].fail(new Error('another search in texts is under way'));
    assert.equal(form.querySelector('[role="status"]').textContent, 'Another search in texts is under way.');
    assert.equal(form.querySelectorAll('li').length, 2);
    assert.equal(further.hidden, false);
    further.click();
    assert.equal(link.asked[2].command, 'texts before=n two words');
});

test('the one hit of a search is opened where texts were read to their end or have nothing to do with it', async () => {
    const { byId } = open('seek');
    const { Finder } = await console('find'), link = slow(), form = byId('seek');
    new Finder(link);
    const hits = [{ kind: 'person', id: '1', title: 'tower', where: 'there', show: 'person 1' }];
    /** @returns {Promise<string[]>} the address, and what is said of the hit */
    const found = async (/** @type {any} */ texts) => {
        globalThis.location.hash = '';
        form.querySelector('input').value = 'tower';
        submit(form.querySelector('form'));
        await link.asked[link.asked.length - 1].arrive({ hits, cut: false, ...texts });
        return [globalThis.location.hash, form.querySelector('[role="status"]').textContent];
    };
    assert.deepEqual(await found({ texts: { read: 3, next: null } }), ['account/1', '1 found: it is open']);
    assert.deepEqual(await found({}), ['account/1', '1 found: it is open']);
    assert.equal((await found({ texts: { read: 3, next: 'n' } }))[0], '');
    const [address, words] = await found({ texts: null });
    assert.equal(address, '');
    assert.match(words, /^1 hit\. Texts were not read/);
});

test('a search that has read no texts does not say that none has the words', async () => {
    const { outcome } = await console('find');
    const none = { hits: [], cut: false };
    assert.match(outcome({ ...none, texts: { read: 3, next: null } }), /words in texts/);
    assert.doesNotMatch(outcome({ ...none, texts: null }), /words in texts/);
    assert.match(outcome({ ...none, texts: null }), /Texts were not read/);
    assert.match(outcome({ hits: [{}], cut: false, texts: null }), /^1 hit\. Texts were not read/);
    assert.equal(outcome({ hits: [{}], cut: false }), '1 hit.', 'a place has no words');
});

test('damage in what somebody left is counted over all its pages', async () => {
    open();
    const { left } = await console('pagecard');
    const thing = { thing: '1', kind: 'object', what: 'heart', text: null, cell: '4876', created: 0, audience: 'all' };
    const [, words, , choice, damage] = left({ things: [thing], next: 'n', tours: [], damagedCount: 1 }, { object: 4 },
        async () => ({ things: [], next: null, damagedCount: 2 }));
    assert.equal(damage.textContent, '1 row is damaged and left out.');
    button(choice, 'Older').click();
    await new Promise((done) => { setImmediate(done); });
    assert.equal(damage.textContent, '3 rows are damaged and left out.');
    assert.equal(damage.hidden, false);
    assert.equal(words.textContent, 'The 1 that can be read, newest first.');
});
