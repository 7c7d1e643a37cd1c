// @ts-check
import { clientRefusal } from './refusal.js';

/**
 * A request without an answer. A change has a key; a question has none.
 * @typedef {object} Entry
 * @property {string} kind
 * @property {any} body
 * @property {string} key
 * @property {string} account whose request it is; empty = made before anybody was known
 * @property {'unsent' | 'sent' | 'waiting'} state
 * @property {number} id of the message under way
 * @property {number} until when it may be sent again
 * @property {number} delays passing refusals so far
 */

const REQUESTS_MAX = 1_000;

/**
 * The requests without an answer, in the order in which they were made (PLC-8). A change keeps its key however often it
 * is sent, so sending it again is always safe (SYN-2). After a cut everything unanswered is sent again, in order.
 */
export class RequestLedger {
    constructor() {
        /** @type {Map<number, Entry>} */
        this.entries = new Map();
        /** @type {Map<number, number>} */
        this.ticketsByID = new Map();
        this.lastTicket = 0;
        this.lastID = 0;
    }

    get count() { return this.entries.size; }

    /** Whether an answer is under way. */
    get isAwaited() { return this.ticketsByID.size > 0; }

    /**
     * Whether an answer to a request of this kind is under way.
     * @param {string} kind
     */
    awaits(kind) {
        return [...this.ticketsByID.values()].some((ticket) => this.entries.get(ticket)?.kind === kind);
    }

    /** @param {number} ticket */
    entry(ticket) { return this.entries.get(ticket); }

    /**
     * @param {string} kind @param {any} body @param {string} key @param {string} account
     * @returns {number} ticket
     */
    add(kind, body, key, account) {
        if (this.count >= REQUESTS_MAX) {
            const details = { limit: String(REQUESTS_MAX), count: String(this.count) };
            throw clientRefusal('limit_reached', `${this.count} requests are waiting for an answer`, details);
        }
        const ticket = ++this.lastTicket;
        this.entries.set(ticket, { kind, body, key, account, state: 'unsent', id: 0, until: 0, delays: 0 });
        return ticket;
    }

    /**
     * Forgets a request; a late answer to it is ignored.
     * @param {number} ticket
     */
    remove(ticket) {
        const entry = this.entries.get(ticket);
        if (!entry) return;
        this.entries.delete(ticket);
        if (entry.state === 'sent') this.ticketsByID.delete(entry.id);
    }

    /** The next id for a request: never 0, and never that of a request under way. */
    nextID() {
        do this.lastID = this.lastID >= 0xffff_ffff ? 1 : this.lastID + 1; while (this.ticketsByID.has(this.lastID));
        return this.lastID;
    }

    /**
     * Everything that may be sent now, oldest first, marked as sent.
     * @param {number} now @param {string} account that is signed in; changes of another person are not sent
     */
    takeDue(now, account) {
        const due = [];
        for (const [ticket, entry] of this.entries) {
            const isDue = entry.state === 'unsent' || (entry.state === 'waiting' && entry.until <= now);
            if (isDue && this.#mayGo(entry, account)) due.push(this.send(ticket));
        }
        return due;
    }

    /** @param {Entry} entry @param {string} account */
    #mayGo(entry, account) { return entry.key === '' || entry.account === '' || entry.account === account; }

    /**
     * Marks a request as sent.
     * @param {number} ticket @returns {any} its message
     */
    send(ticket) {
        const entry = this.entries.get(ticket);
        if (!entry) throw new Error(`there is no request ${ticket}`);
        const id = this.nextID();
        entry.state = 'sent';
        entry.id = id;
        this.ticketsByID.set(id, ticket);
        return { id, key: entry.key, [entry.kind]: entry.body };
    }

    /**
     * The request that an answer belongs to.
     * @param {number} id
     */
    answeredBy(id) {
        const ticket = this.ticketsByID.get(id);
        const entry = ticket === undefined ? undefined : this.entries.get(ticket);
        return ticket === undefined || entry === undefined ? undefined : { ticket, entry };
    }

    /** @param {number} ticket @param {number} until */
    putOff(ticket, until) {
        const entry = this.entries.get(ticket);
        if (!entry) return;
        this.ticketsByID.delete(entry.id);
        entry.state = 'waiting';
        entry.until = until;
        entry.delays++;
    }

    /**
     * When the first of those that wait may be sent; null = none waits.
     * @param {string} account as in `takeDue`
     */
    nextWake(account) {
        let wake = null;
        for (const entry of this.entries.values()) {
            if (entry.state !== 'waiting' || !this.#mayGo(entry, account)) continue;
            if (wake === null || entry.until < wake) wake = entry.until;
        }
        return wake;
    }

    /** The connection is gone: nothing is under way any more. */
    disconnect() {
        this.ticketsByID.clear();
        for (const entry of this.entries.values()) if (entry.state === 'sent') entry.state = 'unsent';
    }

    /**
     * Forgets all.
     * @returns {number[]} their tickets
     */
    clear() {
        const tickets = [...this.entries.keys()];
        this.entries.clear();
        this.ticketsByID.clear();
        return tickets;
    }
}
