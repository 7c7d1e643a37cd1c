// @ts-check
import { Emitter } from './emitter.js';

/**
 * @typedef {import('./messages.js').Instance} Instance
 * @typedef {import('./messages.js').Pose} Pose
 * @typedef {import('./messages.js').Welcome} Welcome
 */

/** The calls that apps make most, each one request. `request` makes all others by their kinds. */
export class Calls extends Emitter {
    /**
     * @param {any} _kind
     * @param {any} [_body]
     * @param {any} [_options]
     * @returns {Promise<any>}
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
        return (await this.request('place', { object, pose, ...rest }, { key })).instance;
    }

    /**
     * Moves, turns, resizes an own instance or changes what is written on it; what is not named stays.
     * @param {Instance} instance
     * @param {Pose} pose
     * @param {{text?: string, data?: Uint8Array}} [inscription]
     * @returns {Promise<Instance>}
     */
    async edit(instance, pose, inscription = {}) {
        const { id, cell, version } = instance;
        const edited = await this.request('edit', { instance: id, cell, version, pose, ...inscription });
        // The answer leaves out what the edit did not name.
        const { text = instance.text, data = instance.data } = inscription;
        return { ...edited.instance, text, data };
    }

    /**
     * Removes an own instance; again is success.
     * @param {Instance} instance
     */
    async remove(instance) { await this.request('remove', { instance: instance.id, cell: instance.cell }); }

    /**
     * The details of an instance in view: placer's name, own reaction, actions.
     * @param {Instance} instance @returns {Promise<import('./messages.js').Selected>}
     */
    select(instance) { return this.request('select', { instance: instance.id, cell: instance.cell }); }

    /**
     * Reacts to an instance; an empty reaction withdraws.
     * @param {Instance} instance @param {string} reaction
     * @returns {Promise<import('./messages.js').ReactionCount[]>} the totals
     */
    async react(instance, reaction) {
        return (await this.request('react', { instance: instance.id, cell: instance.cell, reaction })).reactions;
    }

    /**
     * Leaves a post at the last position.
     * @param {string} text @returns {Promise<Instance>}
     */
    async createPost(text) { return (await this.request('createPost', { text })).post; }

    /** @param {Instance} post @param {string} text @returns {Promise<Instance>} */
    async editPost(post, text) {
        return (await this.request('editPost', { post: post.id, cell: post.cell, text })).post;
    }

    /** @param {Instance} post */
    async removePost(post) { await this.request('removePost', { post: post.id, cell: post.cell }); }

    /**
     * A post as it is now, with the own vote.
     * @param {Instance} post @returns {Promise<import('./messages.js').PostRead>}
     */
    readPost(post) { return this.request('readPost', { post: post.id, cell: post.cell }); }

    /**
     * Votes on a post in reach.
     * @param {Instance} post @param {-1 | 0 | 1} vote 0 withdraws
     * @returns {Promise<import('./messages.js').VoteSet>}
     */
    vote(post, vote) { return this.request('vote', { post: post.id, cell: post.cell, vote }); }

    /**
     * Selects a sub-realm; empty = the public instances (VIS-5).
     * @param {string} realm
     */
    async selectRealm(realm) { await this.request('selectRealm', { realm }); }

    /**
     * Switches the sharing of one's position for this connection (VIS-9).
     * @param {boolean} position @param {number} [accuracy] 0, 10, 100 or 1000 metres
     */
    async share(position, accuracy) { await this.request('share', { position, accuracy }); }

    /**
     * Makes an account and signs in to it.
     * @param {import('./messages.js').SignUp} body @returns {Promise<Welcome>}
     */
    signUp(body) { return this.request('signUp', body); }
}
