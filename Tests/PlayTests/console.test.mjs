// Modules of the operators' console that need no document.

import assert from 'node:assert/strict';
import test from 'node:test';

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
