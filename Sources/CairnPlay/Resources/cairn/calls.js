// @ts-check
import { Emitter } from './emitter.js';

/**
 * @typedef {import('./received.js').Instance} Instance
 * @typedef {import('./received.js').Requests} Requests
 * @typedef {import('./received.js').Welcome} Welcome
 * @typedef {import('./messages.js').Pose} Pose
 * @typedef {Pick<import('./messages.js').Instance, 'id' | 'cell' | 'version' | 'text' | 'data'>} Named which instance
 */

/**
 * The calls that apps make most, each one request. `request` makes all others by their kinds.
 * @extends {Emitter<import('./events.js').ClientEvents>}
 */
export class Calls extends Emitter {
    /**
     * @template {keyof Requests} Kind
     * @param {Kind} _kind
     * @param {Requests[Kind]['body']} [_body]
     * @param {{key?: string}} [_options]
     * @returns {Promise<Requests[Kind]['result']>}
     */
    request(_kind, _body, _options) { return Promise.reject(new Error('made by CairnClient')); }

    /**
     * Places an object. Resolves when it is on the server's disk.
     * @param {string} object such as `preset:heart`
     * @param {Pose} pose
     * @param {{text?: string, data?: Uint8Array, realms?: string[], key?: string}} [more]
     * @returns {Promise<Instance>}
     */
    async place(object, pose, more = {}) {
        const { key, ...rest } = more;
        return there((await this.request('place', { object, pose, ...rest }, { key })).instance);
    }

    /**
     * Moves, turns, resizes an own instance or changes what is written on it; what is not named stays.
     * @param {Named} instance
     * @param {Pose} pose
     * @param {{text?: string, data?: Uint8Array}} [inscription]
     * @returns {Promise<Instance>}
     */
    async edit(instance, pose, inscription = {}) {
        const { id, cell, version } = instance;
        const edited = await this.request('edit', { instance: id, cell, version, pose, ...inscription });
        // The answer leaves out what the edit did not name.
        const { text = instance.text ?? '', data = instance.data ?? new Uint8Array(0) } = inscription;
        return { ...there(edited.instance), text, data };
    }

    /**
     * Removes an own instance; again is success.
     * @param {Named} instance
     */
    async remove(instance) { await this.request('remove', { instance: instance.id, cell: instance.cell }); }

    /**
     * The details of an instance in view: placer's name, own reaction, actions.
     * @param {Named} instance @returns {Promise<import('./received.js').Selected>}
     */
    select(instance) { return this.request('select', { instance: instance.id, cell: instance.cell }); }

    /**
     * Reacts to an instance; an empty reaction withdraws.
     * @param {Named} instance @param {string} reaction
     * @returns {Promise<import('./received.js').ReactionCount[]>} the totals
     */
    async react(instance, reaction) {
        return (await this.request('react', { instance: instance.id, cell: instance.cell, reaction })).reactions;
    }

    /**
     * Leaves a post at the last position.
     * @param {string} text @returns {Promise<Instance>}
     */
    async createPost(text) { return there((await this.request('createPost', { text })).post); }

    /** @param {Named} post @param {string} text @returns {Promise<Instance>} */
    async editPost(post, text) {
        return there((await this.request('editPost', { post: post.id, cell: post.cell, text })).post);
    }

    /** @param {Named} post */
    async removePost(post) { await this.request('removePost', { post: post.id, cell: post.cell }); }

    /**
     * A post as it is now, with the own vote.
     * @param {Named} post @returns {Promise<import('./received.js').PostRead>}
     */
    readPost(post) { return this.request('readPost', { post: post.id, cell: post.cell }); }

    /**
     * Votes on a post in reach.
     * @param {Named} post @param {-1 | 0 | 1} vote 0 withdraws
     * @returns {Promise<import('./received.js').VoteSet>}
     */
    vote(post, vote) { return this.request('vote', { post: post.id, cell: post.cell, vote }); }

    /**
     * Selects a sub-realm; empty = the public instances (VIS-5).
     * @param {string} realm
     */
    async selectRealm(realm) { await this.request('selectRealm', { realm }); }

    /**
     * Switches the sharing of one's position for this connection and those after it, until the sign-out (VIS-9).
     * @param {boolean} position @param {number} [accuracy] 0, 10, 100 or 1000 metres
     */
    async share(position, accuracy) { await this.request('share', { position, accuracy }); }

    /**
     * Makes an account and signs in to it.
     * @param {import('./messages.js').SignUp} body @returns {Promise<Welcome>}
     */
    signUp(body) { return this.request('signUp', body); }
}

/**
 * What a success always has, although its type says that a message may be absent.
 * @param {Instance | undefined} instance
 */
function there(instance) { return /** @type {Instance} */ (instance); }
