// @ts-check

/**
 * @typedef {import('./client.js').CairnClient} CairnClient
 * @typedef {import('./received.js').Instance} Instance
 */

/**
 * What there is at one moment.
 * @typedef {object} Moment
 * @property {import('./connection.js').ClientState} state of the connection
 * @property {{id: string, name: string, role: string} | null} account null = not welcomed yet; a guest has no name
 * @property {readonly Instance[]} things in view and within the radius of the last position
 * @property {readonly Instance[]} posts whose reach includes the last position
 * @property {readonly import('./presence.js').PresentPerson[]} people who share their position, oneself among them
 * @property {ReadonlyMap<string, string>} settings
 * @property {number} unansweredCount changes without an answer
 *
 * A moment that never changes; what is the same as in the snapshot before is the same object.
 * @typedef {Readonly<Moment>} LiveSnapshot
 */

/** The events after which a snapshot may be another one. */
const NEWS = /** @type {const} */ (['state', 'welcomed', 'signedOut', 'appeared', 'changed', 'disappeared',
    'unfollowed', 'presence', 'settings', 'standing', 'queued', 'moved', 'emptied']);

/**
 * The state of a client as a store: for React's `useSyncExternalStore(store.subscribe, store.getSnapshot)`, and for
 * whatever else draws from one value. All that the server has sent in one message comes in one snapshot.
 *
 * @param {CairnClient} client
 * @param {object} [options]
 * @param {number} [options.radius] metres around the last position; default: the server's view
 * @returns {{subscribe: (listener: () => void) => () => void, getSnapshot: () => LiveSnapshot}}
 */
export function liveStore(client, options = {}) {
    const { radius } = options;
    /** @type {Set<() => void>} */
    const listeners = new Set();
    /** @type {(() => void)[]} */
    let ends = [];
    let shown = taken(client, radius);
    let isDue = false;

    function renew() {
        isDue = false;
        const next = alike(shown, taken(client, radius));
        if (next === shown) return;
        shown = next;
        for (const listener of [...listeners]) listener();
    }

    return {
        subscribe(listener) {
            // A listener that subscribes twice has two subscriptions.
            const own = () => listener();
            if (listeners.size === 0) {
                // What has happened between the first snapshot and this was told to nobody.
                shown = alike(shown, taken(client, radius));
                ends = NEWS.map((name) => client.on(name, () => {
                    if (!isDue) queueMicrotask(renew);
                    isDue = true;
                }));
            }
            listeners.add(own);
            return () => {
                if (!listeners.delete(own) || listeners.size > 0) return;
                for (const end of ends.splice(0)) end();
            };
        },
        getSnapshot() {
            // Nobody listens, so nobody has renewed it.
            if (listeners.size === 0) shown = alike(shown, taken(client, radius));
            return shown;
        },
    };
}

/** @param {CairnClient} client @param {number | undefined} radius @returns {LiveSnapshot} */
function taken(client, radius) {
    const { welcome } = client;
    return {
        state: client.state,
        account: welcome && { id: welcome.account, name: welcome.name, role: welcome.role },
        things: client.thingsAround(radius),
        posts: client.postsAround(),
        people: client.people(),
        settings: client.settings,
        unansweredCount: client.unansweredCount,
    };
}

/**
 * The snapshot before where nothing has changed, else the next one with all parts of the one before that are the same.
 * @param {LiveSnapshot} before @param {LiveSnapshot} next
 */
function alike(before, next) {
    /** @type {any} */
    const made = { ...next };
    let isSame = true;
    for (const name of /** @type {(keyof LiveSnapshot)[]} */ (Object.keys(next))) {
        const compare = /** @type {Record<string, Comparison>} */ (COMPARISONS)[name] ?? Object.is;
        if (compare(before[name], next[name])) made[name] = before[name];
        else isSame = false;
    }
    return isSame ? before : /** @type {LiveSnapshot} */ (Object.freeze(made));
}

/**
 * @typedef {(a: any, b: any) => boolean} Comparison
 *
 * @type {Partial<Record<keyof LiveSnapshot, Comparison>>}
 */
const COMPARISONS = {
    account: haveSameFields,
    things: lists(Object.is),
    posts: lists(Object.is),
    people: lists((a, b) => a.id === b.id && a.name === b.name && haveSameFields(a.pose, b.pose)),
    settings: (a, b) => a.size === b.size && [...a].every(([key, value]) => b.get(key) === value),
};

/** @param {Comparison} compare @returns {Comparison} */
function lists(compare) {
    return (a, b) => a.length === b.length && a.every((/** @type {any} */ one, /** @type {number} */ index) => (
        compare(one, b[index])));
}

/** @param {any} a @param {any} b */
function haveSameFields(a, b) {
    if (!a || !b) return a === b;
    return [...Object.keys(a), ...Object.keys(b)].every((name) => Object.is(a[name], b[name]));
}
