// @ts-check
import { kindOf } from './codec.js';
import { ownIn } from './folds.js';
import { Refusal, clientRefusal } from './refusal.js';
import { SessionCore } from './session.js';
import { Violation } from './violation.js';

/** @typedef {import('./core.js').NamedEvent} NamedEvent */

/** How long after a welcome the server may take to continue the topics that are still in view. */
const CONFIRMATION_MAX_MS = 10_000;
/** Longest pause between two attempts of a request that the server has put off. */
const RETRY_PAUSE_MAX_MS = 30_000;

/** What the server's replies mean: to hello, to requests that were made, and for the sign-in. */
export class AnsweredCore extends SessionCore {
    /**
     * @param {any} reply @param {number} now @param {number} wall @param {NamedEvent[]} events
     * @param {Violation[]} violations
     */
    takeReply(reply, now, wall, events, violations) {
        if (this.phase === 'greeting' && reply.id === this.helloID) {
            this.#welcome(reply, now, wall, events, violations);
            return;
        }
        if (reply.id === 0 && reply.refusal) {
            const refusal = new Refusal(reply.refusal);
            events.push(['refused', refusal]);
            // Guests who look are put off while their budgets are used up: the newest position is sent after the pause.
            if (refusal.component === 'guests' && refusal.isPassing && this.position) {
                this.lookAt = now + this.#pause(refusal, 0);
            }
            return;
        }
        if (this.link.answers(reply.id)) return;
        const found = this.ledger.answeredBy(reply.id);
        if (!found) {
            violations.push(new Violation('unknown_request', '', `a reply to request ${reply.id}`));
            return;
        }
        const { ticket, entry } = found;
        const kind = kindOf('Reply', reply);
        const unknown = 'an answer of a kind that this client does not know';
        const refusal = reply.refusal ? new Refusal(reply.refusal)
            : kind === undefined ? clientRefusal('internal', unknown) : null;
        if (refusal?.isPassing) {
            this.ledger.putOff(ticket, now + this.#pause(refusal, entry.delays));
            return;
        }
        this.ledger.remove(ticket);
        if (this.acknowledgements.delete(ticket)) return;
        if (refusal) {
            events.push(['answered', { ticket, entry, refusal }]);
            return;
        }
        const own = ownIn(reply);
        if (own) this.view.addOwn(own);
        events.push(...this.#follow(reply));
        events.push(['answered', { ticket, entry, result: reply[/** @type {string} */ (kind)] }]);
    }

    /**
     * @param {any} reply @param {number} now @param {number} wall @param {NamedEvent[]} events
     * @param {Violation[]} violations
     */
    #welcome(reply, now, wall, events, violations) {
        const { welcome } = reply;
        if (reply.refusal) {
            events.push(['refused', new Refusal(reply.refusal)]);
        } else if (!welcome) {
            violations.push(new Violation('out_of_place', '', 'hello answered with something else than welcome'));
        } else {
            this.phase = 'live';
            this.welcome = welcome;
            this.clock.sample(welcome.serverTime, this.helloSentAt, wall);
            if (welcome.token || welcome.tokenExpired) this.profile.token = welcome.token;
            events.push(['welcomed', welcome]);
            if (this.view.unconfirmed.size > 0) this.dropUnconfirmedAt = now + CONFIRMATION_MAX_MS;
            // The view depends on the position, and so does much of what is waiting.
            if (this.position) this.move(this.position);
            this.outgoing.push(...this.ledger.takeDue(now, this.account));
        }
    }

    /**
     * Goes by what an answer says about the sign-in.
     * @param {any} reply @returns {NamedEvent[]}
     */
    #follow(reply) {
        if (reply.newToken) this.profile.token = reply.newToken.token;
        if (reply.realmSelected) this.profile.realm = reply.realmSelected.realm;
        if (reply.settingList) {
            return [['settings', this.keepSettings(reply.settingList.settings)]];
        }
        if (!reply.welcome) return [];
        this.welcome = reply.welcome;
        this.profile.token = reply.welcome.token;
        if (reply.welcome.deviceKey) this.profile.deviceKey = reply.welcome.deviceKey;
        // The view of the person opens where the guest has looked.
        this.lookAgain();
        return [['welcomed', reply.welcome]];
    }

    /** Sends the position again, if there is one. */
    lookAgain() {
        this.lookAt = null;
        if (this.position) this.move(this.position);
    }

    /**
     * Settings as the server has them, in place of those of the welcome. The time of the edit is the version of a
     * setting: one that is older than what is known changes nothing.
     * @param {any[]} settings @returns {any[]} those that are news
     */
    keepSettings(settings) {
        if (!this.welcome) return settings;
        const known = new Map(this.welcome.settings.map((/** @type {any} */ setting) => [setting.key, setting]));
        const news = settings.filter(({ key, edited = 0 }) => !(known.get(key)?.edited > edited));
        for (const setting of news) known.set(setting.key, setting);
        this.welcome.settings = [...known.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
        return news;
    }

    /**
     * The server's hint, doubled with each attempt, plus a random part.
     * @param {Refusal} refusal @param {number} delays
     */
    #pause(refusal, delays) {
        const hint = Math.max(refusal.retryAfter ?? 0, 10);
        const grown = Math.min(hint * 2 ** Math.min(delays, 10), Math.max(hint, RETRY_PAUSE_MAX_MS));
        return grown + hint * this.random() / 2;
    }
}
