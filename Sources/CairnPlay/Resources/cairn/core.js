// @ts-check
import { decode, kindOf, MalformedMessage } from './codec.js';
import { fromJSON } from './json.js';
import { AnsweredCore } from './answers.js';
import { FOLDS } from './folds.js';
import { Refusal } from './refusal.js';
import { cellOf } from './replica.js';
import { Violation } from './violation.js';

/**
 * @typedef {import('./session.js').ClientProfile} ClientProfile
 * @typedef {[string, any]} NamedEvent see `CairnClient`
 */

/** Ids of the notifications that were reported last. */
const NOTIFICATIONS_MAX = 512;

/** Items that make sense only in an open session. */
const NEEDS_WELCOME = new Set(['event', 'snapshot', 'own', 'presence', 'unfollowed', 'resync', 'continued',
    'nearbyTours', 'run', 'guidance', 'fellowWalkers', 'group', 'shiftPositions']);

/**
 * A client without its socket: server messages in, events out; calls in, messages to send out. It does no I/O and knows
 * no clock but the `now` that it is given, in milliseconds of any origin. After any call, send what `takeOutgoing`
 * gives, and call `wake` at `nextWake`.
 */
export class ClientCore extends AnsweredCore {
    /** @param {number} now @returns {NamedEvent[]} */
    wake(now) {
        if (this.phase !== 'live') return [];
        if (this.isSilent(now)) return [['silent', undefined]];
        this.outgoing.push(...this.ledger.takeDue(now, this.account));
        if (this.lookAt !== null && this.lookAt <= now) this.lookAgain();
        if (this.dropUnconfirmedAt === null || this.dropUnconfirmedAt > now) return [];
        this.dropUnconfirmedAt = null;
        /** @type {NamedEvent[]} */
        const events = [];
        for (const topic of [...this.view.unconfirmed].sort()) events.push(...this.#unfollow(topic));
        return events;
    }

    // MARK: Receiving

    /**
     * Receives one WebSocket message. Whatever it holds, this does not throw.
     * @param {Uint8Array | string} data @param {number} now @param {number} [wall] the device's time
     * @returns {NamedEvent[]}
     */
    receive(data, now, wall = 0) {
        this.link.heard(now);
        /** @type {NamedEvent[]} */
        const events = [];
        let message;
        try {
            if ((typeof data === 'string') !== (this.format === 'json')) throw new MalformedMessage('the other sort');
            message = typeof data === 'string'
                ? fromJSON('ServerMessage', JSON.parse(data)) : decode('ServerMessage', data);
        } catch {
            this.lastMessage = null;
            return [['violation', new Violation('unreadable', '', `a message of ${data.length} bytes`)]];
        }
        this.lastMessage = message;
        for (const item of message.items) {
            try {
                this.#take(item, now, wall, events);
            } catch (error) {
                // An item that lacks what every item of its kind has.
                events.push(['violation', new Violation('unreadable', '', `an item: ${error}`)]);
            }
        }
        return events;
    }

    /** @param {any} item @param {number} now @param {number} wall @param {NamedEvent[]} events */
    #take(item, now, wall, events) {
        /** @type {Violation[]} */
        const violations = [];
        const kind = kindOf('Item', item);
        if (kind === undefined) return;
        const { view } = this;
        switch (kind) {
        case 'reply': this.takeReply(item.reply, now, wall, events, violations); break;
        case 'event':
            events.push(...view.applyEvent(item.event, violations));
            if (item.event.realmChanged) events.push(['realmChanged', { id: item.event.realmChanged.realm }]);
            else this.#others(item.event, events);
            break;
        case 'snapshot': {
            const { steps, isComplete } = view.applyPage(item.snapshot, violations);
            events.push(...steps);
            if (isComplete) events.push(['followed', { topic: item.snapshot.cursor.topic }]);
            break;
        }
        case 'continued':
            view.goOn(item.continued.cursor, violations);
            events.push(['followed', { topic: item.continued.cursor.topic }]);
            break;
        case 'own': events.push(...view.applyOwn(item.own)); break;
        case 'presence': {
            const change = this.presence.apply(item.presence, now, violations);
            if (change) events.push(['presence', change]);
            break;
        }
        // A right may end before the topic's first snapshot is sent.
        case 'unfollowed': events.push(...this.#unfollow(item.unfollowed.topic)); break;
        case 'resync':
            view.startOver(item.resync.topic, violations);
            events.push(['resynchronising', { topic: item.resync.topic }]);
            break;
        case 'closing':
            this.closing = item.closing;
            events.push(['closing', item.closing]);
            break;
        case 'settings':
            events.push(['settings', this.keepSettings(item.settings.settings)]);
            break;
        case 'shiftPositions':
            events.push(['positionsShifted', { milliseconds: item.shiftPositions.milliseconds ?? 0 }]);
            break;
        case 'standing':
            if (this.welcome) Object.assign(this.welcome, item.standing);
            events.push(['standing', item.standing]);
            break;
        case 'realmSelected':
            this.profile.realm = item.realmSelected.realm;
            events.push(['selectionReset', undefined]);
            break;
        case 'notifications': events.push(this.#notified(item.notifications)); break;
        case 'signedOut':
            this.forgetSignIn();
            events.push(['signedOut', item.signedOut]);
            break;
        default: events.push([kind, item[kind]]);
        }
        if (this.phase !== 'live' && NEEDS_WELCOME.has(kind)) {
            violations.push(new Violation('out_of_place', '', 'a view before the welcome'));
        }
        for (const violation of violations) events.push(['violation', violation]);
    }

    /**
     * Events that change no instance are told by their names, with their content: `stopReached`, `tourChanged`.
     * @param {any} event @param {NamedEvent[]} events
     */
    #others(event, events) {
        const kind = kindOf('Event', event);
        if (kind !== undefined && !(kind in FOLDS)) events.push([kind, event[kind]]);
    }

    /** @param {any} item @returns {NamedEvent} */
    #notified({ notifications, unread, mark }) {
        const fresh = notifications.filter((/** @type {any} */ { id }) => !this.knownNotifications.has(id));
        for (const { id } of fresh) this.knownNotifications.add(id);
        for (const id of this.knownNotifications) {
            if (this.knownNotifications.size <= NOTIFICATIONS_MAX) break;
            this.knownNotifications.delete(id);
        }
        try {
            if (mark) this.acknowledgements.add(this.ask('receivedNotifications', { mark }));
        } catch (error) {
            // Beyond the limit of requests it is not acknowledged: the next connection is sent it again.
            if (!(error instanceof Refusal)) throw error;
        }
        return ['notified', { notifications: fresh, unread }];
    }

    /**
     * Drops a topic that is no longer in view, with its people, unless another topic of the cell is: the guests' topic
     * ends when the person's has begun.
     * @param {string} topic @returns {NamedEvent[]}
     */
    #unfollow(topic) {
        const steps = this.view.unfollow(topic), cell = cellOf(topic);
        if (![...this.view.topics.keys()].some((other) => cellOf(other) === cell)) this.presence.forget(cell);
        return [...steps, ['unfollowed', { topic }]];
    }
}
