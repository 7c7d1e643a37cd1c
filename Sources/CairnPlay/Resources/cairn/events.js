// @ts-check

/** The events of a client, for types alone. */
export {};

/**
 * @typedef {import('./received.js').Instance} Instance
 * @typedef {import('./received.js').Setting} Setting
 */

/**
 * What listeners get that `CairnClient` itself tells of, by the names of events.
 * @typedef {object} OwnEvents
 * @property {import('./connection.js').ClientState} state the connection has changed
 * @property {import('./received.js').Welcome} welcomed the session is open, or was taken over after a cut (`resumed`),
 *  or a guest has signed in
 * @property {import('./received.js').SignedOut} signedOut the connection is a guest's from now on
 * @property {Instance} appeared came into view
 * @property {{instance: Instance, was: Instance}} changed moved, turned, resized, reacted to, written on, voted on, or
 *  now in another cell
 * @property {Instance} disappeared removed, or out of view
 * @property {{topic: string}} followed
 * @property {{topic: string}} unfollowed
 * @property {{topic: string}} resynchronising
 * @property {import('./presence.js').PresenceChange} presence people came, went and moved
 * @property {{milliseconds: number}} positionsShifted send positions later by this; negative = sooner; `PositionTimer`
 * @property {Setting[]} settings what was saved, here or on another device; `client.settings` has all
 * @property {import('./received.js').Standing} standing the account's role has changed
 * @property {undefined} selectionReset the selected sub-realm is no longer one of the user's
 * @property {{id: string}} realmChanged read the sub-realm again
 * @property {{notifications: import('./received.js').Notification[], unread: number}} notified those that were not
 *  reported before
 * @property {import('./received.js').Closing} closing the server's last message
 * @property {{code: number, reason: string, after: number | null}} disconnected `after` in milliseconds, null = does
 *  not come back by itself; the reason is `silent` where the client itself has noticed that the link is dead
 * @property {{client: number, server: number}} unsupported the server speaks another version of the protocol: the app
 *  needs an update (`server` is the larger one), or the server does
 * @property {import('./messages.js').Position} moved the position that the app has told
 * @property {Answer} answered a change of an earlier page load was answered
 * @property {import('./refusal.js').Refusal} refused of a message without a request id, such as an invalid position
 * @property {{count: number}} queued changes without an answer
 * @property {{isKept: boolean, waiting: number}} kept whether what should survive a reload is stored; `waiting` changes
 *  are not yet, and are tried again
 * @property {undefined} emptied what is kept was deleted, here or in another tab: after a sign-out, a revocation, a
 *  deletion
 * @property {{account: string}} replaced another tab has signed in as somebody else, who is kept from now on
 * @property {Frame} frame each message as it passes, only if somebody listens
 * @property {import('./violation.js').Violation} violation the server broke a rule of the protocol, or a frame could
 *  not be read
 * @property {unknown} error a listener threw, or what is kept could not be read or written
 */

/** @typedef {OwnEvents & import('./received.js').News} ClientEvents */

/**
 * @typedef {object} Answer
 * @property {string} kind
 * @property {any} body
 * @property {string} key
 * @property {any} [result] of the success
 * @property {import('./refusal.js').Refusal} [refusal]
 */

/**
 * @typedef {object} Frame
 * @property {'in' | 'out'} direction
 * @property {Uint8Array | string} bytes
 * @property {any} message
 */
