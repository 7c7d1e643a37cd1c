// The scripted conversations, held by cairn.js: Tests/Conversations/README.md.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import { ClientCore, encode } from '../../Sources/CairnPlay/Resources/cairn/index.js';
import { fromJSON, toJSON } from '../../Sources/CairnPlay/Resources/cairn/json.js';
import { decode } from '../../Sources/CairnPlay/Resources/cairn/codec.js';
import { random } from './random.mjs';

const FOLDER = new URL('../Conversations/', import.meta.url);

/** A client in a conversation. */
class Talk {
    /** @param {any} conversation @param {'proto' | 'json'} format */
    constructor({ profile }, format) {
        this.format = format;
        this.core = new ClientCore({ profile, format, random: random(1) });
        this.now = 0;
        /** @type {Map<number, string>} */
        this.names = new Map();
        /** @type {Map<string, string>} */
        this.texts = new Map();
    }

    /** @param {any} step */
    take(step) {
        this.now = step.at ?? this.now;
        const { core, now } = this;
        /** @type {any[]} */
        let events = [];
        if (step.open) core.connectionOpened(now);
        if (step.receive) events = core.receive(this.#bytes({ items: step.receive }), now);
        if (step.ask) this.names.set(core.ask(step.ask, step.body), step.as);
        if (step.move) core.move(step.move);
        if (step.wake) events = core.wake(now);
        if (step.close !== undefined) this.#compareReconnection(core.connectionClosed(step.close, now), step.reconnect);
        const sent = core.takeOutgoing().map(({ bytes }) => this.#json(bytes));
        if (step.sent) {
            assert.equal(sent.length, step.sent.length, `sends ${JSON.stringify(sent)}`);
            for (const [index, wanted] of step.sent.entries()) this.#match(sent[index], wanted);
        }
        if (step.events) assert.deepEqual(events.map((event) => this.#word(event)).sort(), [...step.events].sort());
        if (step.unanswered !== undefined) assert.equal(core.ledger.count, step.unanswered);
        if (step.view) {
            const view = Object.fromEntries(core.view.instances.map(({ id, version }) => [id, version]));
            assert.deepEqual(view, step.view);
        }
        if (step.people) this.#comparePeople(step.people);
    }

    /** @param {any} message */
    #bytes(message) {
        return this.format === 'json'
            ? JSON.stringify(message) : encode('ServerMessage', fromJSON('ServerMessage', message));
    }

    /** @param {any} bytes */
    #json(bytes) {
        return this.format === 'json' ? JSON.parse(bytes) : toJSON('ClientMessage', decode('ClientMessage', bytes));
    }

    /** @param {any} found @param {any} wanted */
    #match(found, wanted) {
        if (typeof wanted === 'string' && wanted.startsWith('$')) {
            assert.ok(found, `${wanted} is empty`);
            if (!this.texts.has(wanted)) this.texts.set(wanted, found);
            assert.equal(found, this.texts.get(wanted));
        } else if (typeof wanted === 'object') {
            assert.equal(typeof found, 'object', `${JSON.stringify(wanted)} is not there`);
            for (const [name, value] of Object.entries(wanted)) this.#match(found[name], value);
        } else {
            assert.equal(found, wanted);
        }
    }

    /** @param {[string, any]} event */
    #word([name, detail]) {
        switch (name) {
        case 'appeared': case 'disappeared': return `${name} ${detail.id}`;
        case 'changed': return `${name} ${detail.instance.id}`;
        case 'followed': case 'unfollowed': case 'resynchronising': return `${name} ${detail.topic}`;
        case 'answered': {
            const end = detail.refusal ? `refused ${detail.refusal.code}` : 'ok';
            return `answered ${this.names.get(detail.ticket)} ${end}`;
        }
        case 'refused': case 'closing': case 'signedOut': return `${name} ${detail.code}`;
        case 'violation': return `violation ${detail.rule}`;
        case 'positionsShifted': return `${name} ${detail.milliseconds}`;
        case 'presence': return `presence ${detail.cell}`;
        case 'realmChanged': return `realmChanged ${detail.id}`;
        case 'notified': return `notified ${detail.notifications.length} unread ${detail.unread}`;
        default: return name;
        }
    }

    /** @param {number | null} found @param {any} wanted */
    #compareReconnection(found, wanted) {
        if (wanted === 'never') assert.equal(found, null);
        else assert.ok(found !== null && found >= wanted[0] && found <= wanted[1], `comes back after ${found}`);
    }

    /** @param {any[]} wanted */
    #comparePeople(wanted) {
        const people = this.core.people(this.now).sort((a, b) => (a.name < b.name ? -1 : 1));
        assert.deepEqual(people.map(({ name }) => name), wanted.map(({ name }) => name));
        wanted.forEach(({ lat, lon }, index) => {
            if (lat === undefined) return;
            const { pose } = people[index];
            assert.ok(pose && Math.abs(pose.lat - lat) < 1.5e-6 && Math.abs(pose.lon - lon) < 1.5e-6,
                `${people[index].name} is at ${pose?.lat}, ${pose?.lon}`);
        });
    }
}

const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
assert.ok(names.length >= 10);
for (const name of names) {
    const conversation = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
    for (const format of conversation.formats ?? ['proto', 'json']) {
        test(`${name} (${format})`, () => {
            const talk = new Talk(conversation, format);
            conversation.steps.forEach((/** @type {any} */ step, /** @type {number} */ number) => {
                try {
                    talk.take(step);
                } catch (error) {
                    throw new Error(`step ${number + 1}: ${/** @type {Error} */ (error).message}`, { cause: error });
                }
            });
        });
    }
}
