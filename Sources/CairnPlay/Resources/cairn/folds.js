// @ts-check
/** What the events of the features do to the instances of a topic: a line each. */

/**
 * What an event was about.
 * @typedef {object} Folded
 * @property {string | null} instance if it is one that the topic holds or held
 * @property {'stays' | 'begins' | 'ends' | 'movesOut'} holding what it says of the topic's holding the instance
 * @property {number} [version] at which another topic has it
 *
 * @typedef {(change: any, replica: import('./replica.js').TopicReplica) => Folded} Fold
 */

/** @type {Record<string, Fold>} */
export const FOLDS = {
    entered: ({ instance }, replica) => ({ instance: replica.enter(instance), holding: 'begins' }),

    changed: (changed, replica) => ({
        instance: replica.alter(changed.instance, (instance) => {
            renew(instance, changed, replica);
            instance.pose = changed.pose;
            if (changed.text !== undefined) instance.text = changed.text;
            if (changed.data !== undefined) instance.data = changed.data;
        }),
        holding: 'stays',
    }),

    left: ({ instance }, replica) => ({ instance: replica.drop(instance), holding: 'ends' }),

    movedOut: ({ instance, version }, replica) => (
        { instance: replica.drop(instance), holding: 'movesOut', version }),

    reacted: ({ instance, reactions }, replica) => ({
        instance: replica.alter(instance, (held) => { held.reactions = reactions; }), holding: 'stays',
    }),

    postChanged: (changed, replica) => ({
        instance: replica.alter(changed.post, (instance) => {
            renew(instance, changed, replica);
            instance.text = changed.text;
            instance.post = { ...instance.post, edited: changed.edited };
        }),
        holding: 'stays',
    }),

    voted: ({ post, score, size, reach, hidden }, replica) => {
        // Only its author sees it from now on.
        if (hidden && !replica.own.has(post)) return { instance: replica.drop(post), holding: 'ends' };
        const instance = replica.alter(post, (held) => { held.post = { ...held.post, score, size, reach, hidden }; });
        return { instance, holding: 'stays' };
    },

    // The topic of a sub-realm's members holds no instances.
    realmChanged: () => ({ instance: null, holding: 'stays' }),
};

/** @param {any} instance @param {{version: number}} changed @param {import('./replica.js').TopicReplica} replica */
function renew(instance, { version }, replica) {
    if (version <= instance.version) {
        replica.report('version_back', `version ${version} of ${instance.id} after ${instance.version}`);
    }
    instance.version = version;
}

/**
 * The user's own instance that a success tells of.
 * @param {any} reply
 */
export function ownIn(reply) {
    return reply.placed?.instance ?? reply.edited?.instance ?? reply.postCreated?.post;
}
