// @ts-check
import { REMEDIES } from './codes.js';

/**
 * What the client itself refuses.
 * @type {Record<string, string>}
 */
const OWN_REMEDIES = {
    unreachable: 'Check the network and the address, then connect again. A page of another address than the server\'s '
        + 'must be named in the server\'s setting listen.originsAllowed.',
    client_closed: 'Connect again; the change may have been made.',
    signed_out: 'Sign in and do it again.',
    outdated: 'The server may have forgotten whether it was made: look, and do it again if it was not.',
    unsupported_version: 'Update the app, or the server: the one whose version of the protocol is the older one.',
    too_large: 'Send less; `details` names limit and count.',
    limit_reached: 'Wait until the server has answered some of the requests.',
};

/** Codes of refusals that pass: the client sends the same request again by itself. */
const PASSING = new Set(['try_again', 'rate_limited', 'storage_unavailable', 'overloaded']);
/** Longest wait, as the server names it, that is made. A person is told of a longer one. */
const WAIT_MAX_MS = 60_000;

/**
 * A coded "no" to a request. Nothing was changed, and the connection lives (SES-3). `component` is `client` for the
 * client's own: `unreachable`, `client_closed`, `signed_out`, `outdated`, `too_large`, `limit_reached`,
 * `unsupported_version`.
 */
export class Refusal extends Error {
    /** @param {import('./messages.js').Refusal} wire */
    constructor({ code = 'internal', message = '', component = '', retryAfter, correlation = '', details = {} }) {
        super(message || code);
        this.name = 'Refusal';
        /** The code, on which a client acts. */
        this.code = code;
        /** The part of the server that refused. */
        this.component = component;
        /** Milliseconds after which the same request may succeed; undefined = change the request first. */
        this.retryAfter = retryAfter;
        /** Names the refusal in the server's log. */
        this.correlation = correlation;
        /** Figures that belong to the code, for instance `limit` and `count` of a quota. */
        this.details = details;
    }

    /** What to do about it, in English, for developers; empty for a code that this version does not know. */
    get remedy() {
        return (this.component === 'client' ? OWN_REMEDIES[this.code] : REMEDIES[this.code]) ?? '';
    }

    /** Whether the client asks again by itself. */
    get isPassing() { return PASSING.has(this.code) && (this.retryAfter ?? 0) <= WAIT_MAX_MS; }
}

/** @param {string} code @param {string} message @param {Record<string, string>} [details] */
export function clientRefusal(code, message, details = {}) {
    return new Refusal({ code, message, component: 'client', details });
}
