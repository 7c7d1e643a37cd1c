// @ts-check
/** Frames in words, for people who read the protocol for the first time. */

import { kindOf } from '/play/cairn/codec.js';

/** @param {any} message of a client @returns {string} */
export function ofClient(message) {
    const kind = kindOf('ClientMessage', message) ?? 'nothing';
    const body = message[kind] ?? {};
    const id = message.id ? ` as request ${message.id}` : '';
    const key = message.key ? ', with a key, so that it happens once' : '';
    switch (kind) {
    case 'hello': {
        const who = body.token ? 'with a token' : body.name ? `as ${body.name}` : 'as a guest';
        const resumes = body.session ? `, and resumes ${body.cursors?.length ?? 0} topics` : '';
        return `says hello ${who}${resumes}${id}`;
    }
    case 'position': return `tells its position ${place(body)}`;
    case 'place': return `places ${body.object}${id}${key}`;
    case 'receivedNotifications': return `acknowledges notifications${id}`;
    default: return `sends ${spaced(kind)}${id}${key}`;
    }
}

/** @param {any} item of a server's message @returns {string} */
export function ofItem(item) {
    const kind = kindOf('Item', item);
    if (kind === undefined) return 'gets something that this version does not know';
    const body = item[kind];
    switch (kind) {
    case 'reply': return `gets the answer to request ${body.id}: ${answer(body)}`;
    case 'event': return `gets event ${body.sequence} of topic ${body.topic}: ${change(body)}`;
    case 'snapshot': {
        const page = body.first && body.last ? 'all' : body.last ? 'the last part' : 'a part';
        return `gets ${page} of topic ${body.cursor?.topic}: ${count(body.instances.length, 'thing')}, up to event `
            + `${body.cursor?.sequence}`;
    }
    case 'continued': return `goes on with topic ${body.cursor?.topic} after event ${body.cursor?.sequence}`;
    case 'unfollowed': return `no longer sees topic ${body.topic}`;
    case 'resync': return `was too slow for topic ${body.topic}: a new snapshot follows`;
    case 'own': return `is told which things of topic ${body.topic} are its own`;
    case 'presence': {
        const parts = [];
        if (body.keyframe) parts.push('everybody anew');
        if (body.joined.length > 0) parts.push(`${body.joined.map((/** @type {any} */ p) => p.name).join(', ')} came`);
        if (body.left.length > 0) parts.push(`${body.left.length} left`);
        const poses = body.poses.length / 14 + body.livePoses.length;
        if (poses > 0) parts.push(count(poses, 'pose'));
        const cell = body.cell || `the cell with number ${body.number}`;
        return `gets presence of ${cell}: ${parts.join(', ') || 'nothing'}`;
    }
    case 'closing': return `is told that the connection ends: ${body.code}`;
    case 'notifications': return `gets ${count(body.notifications.length, 'notification')}, ${body.unread} unread`;
    case 'settings': {
        const keys = body.settings.map((/** @type {any} */ { key }) => key);
        return `gets settings of another device: ${keys.join(', ')}`;
    }
    case 'notice': return `gets a notice: ${body.text}`;
    default: return `gets ${spaced(kind)}`;
    }
}

/** @param {any} reply */
function answer(reply) {
    if (reply.refusal) return `refused, ${reply.refusal.code}`;
    const kind = kindOf('Reply', reply);
    if (kind === 'welcome') return `welcome as ${reply.welcome.name || 'a guest'} (${reply.welcome.role})`;
    if (kind === 'placed') return `${reply.placed.instance?.object} is on disk`;
    return kind ? spaced(kind) : 'of a kind that this version does not know';
}

/** @param {any} event */
function change(event) {
    const kind = kindOf('Event', event);
    switch (kind) {
    case 'entered': return `${event.entered.instance?.object || 'a post'} is new here`;
    case 'changed': return `a thing was moved, turned, resized or written on`;
    case 'left': return 'a thing is gone';
    case 'movedOut': return 'a thing is in another cell now';
    case 'reacted': return 'new totals of reactions';
    case undefined: return 'of a kind that this version does not know';
    default: return spaced(kind);
    }
}

/** @param {any} position */
function place({ lat, lon }) { return `${lat?.toFixed(6)}, ${lon?.toFixed(6)}`; }

/** @param {number} number @param {string} thing */
function count(number, thing) { return `${number} ${thing}${number === 1 ? '' : 's'}`; }

/**
 * `listFriends` as "list friends".
 * @param {string} kind
 */
function spaced(kind) { return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`); }

/**
 * A message as JSON for people: bytes as their number, large numbers as they are.
 * @param {any} message
 */
export function pretty(message) {
    return JSON.stringify(message, (_, value) => {
        if (typeof value === 'bigint') return String(value);
        if (value instanceof Uint8Array) return `${value.length} bytes`;
        const isEmpty = value === '' || value === false || (Array.isArray(value) && value.length === 0);
        return isEmpty ? undefined : value;
    }, 2);
}
