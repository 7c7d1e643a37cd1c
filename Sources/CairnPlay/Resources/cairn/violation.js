// @ts-check

/** Rules after whose breach the client's state of a topic may differ from the server's. */
const SPOILING = new Set(['gap', 'reordered', 'broken_snapshot', 'entered_twice', 'unknown_instance', 'version_back']);

/**
 * A rule of the protocol that a server broke towards this client (SES-7): `gap`, `repeated`, `reordered`,
 * `event_before_snapshot`, `unknown_topic`, `broken_snapshot`, `entered_twice`, `unknown_instance`, `version_back`,
 * `bad_identifier`, `unknown_request`, `unknown_slot`, `unreadable`, `out_of_place`.
 */
export class Violation {
    /** @param {string} rule @param {string} topic empty = the rule knows none @param {string} detail for people */
    constructor(rule, topic, detail) {
        this.rule = rule;
        this.topic = topic;
        this.detail = detail;
    }

    get spoilsTheView() { return SPOILING.has(this.rule); }
}
