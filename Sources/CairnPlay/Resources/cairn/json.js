// @ts-check
/** The JSON form of messages: protobuf's canonical JSON (docs/protocol.md, "The JSON form"). */

import { ENUMS, TYPES } from './schema.js';
import { MalformedMessage, checkNames, empty, fieldsOf, zero } from './codec.js';

const DEPTH_MAX = 32;

/**
 * A message from parsed JSON: with defaults, bytes and numbers of 64 bits.
 * @param {string} type name in the schema @param {any} json @returns {any}
 * @throws {MalformedMessage}
 */
export function fromJSON(type, json) { return readMessage(type, json, 0); }

/** @param {string} type @param {any} json @param {number} depth */
function readMessage(type, json, depth) {
    if (depth > DEPTH_MAX) throw new MalformedMessage('nested too deep');
    if (json === null || typeof json !== 'object' || Array.isArray(json)) {
        throw new MalformedMessage(`${type} is no object`);
    }
    const message = empty(type);
    for (const [, name, kind, label] of fieldsOf(type)) {
        if (!Object.hasOwn(json, name) || json[name] === null) continue;
        const value = json[name];
        if (label === 'r') {
            if (!Array.isArray(value)) throw new MalformedMessage(`${name} is no list`);
            message[name] = value.map((element) => readValue(kind, element, depth));
        } else if (label === 'm') {
            message[name] = Object.fromEntries(
                Object.entries(value).map(([key, element]) => [key, readValue(kind, element, depth)]));
        } else {
            message[name] = readValue(kind, value, depth);
        }
    }
    return message;
}

/** @param {string} type @param {any} value @param {number} depth @returns {any} */
function readValue(type, value, depth) {
    const wrong = () => new MalformedMessage(`${JSON.stringify(value)} is no ${type}`);
    switch (type) {
    case 'string':
        if (typeof value !== 'string') throw wrong();
        return value;
    case 'bool':
        if (typeof value !== 'boolean') throw wrong();
        return value;
    case 'bytes':
        if (typeof value !== 'string') throw wrong();
        return fromBase64(value);
    case 'uint64': case 'fixed64':
        if (!/^\d{1,20}$/.test(String(value))) throw wrong();
        return BigInt.asUintN(64, BigInt(value));
    case 'int64':
        if (!/^-?\d{1,19}$/.test(String(value))) throw wrong();
        return Number(value);
    case 'double': case 'float': {
        const number = value === '' ? NaN : Number(value);
        if (Number.isNaN(number) && value !== 'NaN') throw wrong();
        return type === 'float' ? Math.fround(number) : number;
    }
    case 'uint32': case 'int32': case 'sint32':
        if (!Number.isInteger(Number(value))) throw wrong();
        return type === 'uint32' ? Number(value) >>> 0 : Number(value) | 0;
    default:
        if (TYPES[type]) return readMessage(type, value, depth + 1);
        if (typeof value === 'number') return ENUMS[type][value] ?? value;
        if (typeof value !== 'string') throw wrong();
        return value;
    }
}

/** @param {string} text @returns {Uint8Array} */
function fromBase64(text) {
    let binary;
    try {
        binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    } catch {
        throw new MalformedMessage('bytes are not base64');
    }
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
    let binary = '';
    for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(binary);
}

/**
 * What `JSON.stringify` makes the JSON form of.
 * @param {string} type name in the schema @param {any} message @returns {any}
 * @throws {TypeError} the message has another name
 */
export function toJSON(type, message) {
    checkNames(type, message);
    /** @type {any} */
    const json = {};
    for (const [, name, kind, label] of fieldsOf(type)) {
        const value = message[name];
        if (value === undefined || value === null) continue;
        if (label === 'r') {
            if (value.length > 0) json[name] = value.map((/** @type {any} */ element) => writeValue(kind, element));
        } else if (label === 'm') {
            const pairs = Object.entries(value);
            if (pairs.length > 0) json[name] = Object.fromEntries(pairs);
        } else if (label !== undefined || TYPES[kind] || !isDefault(kind, value)) {
            json[name] = writeValue(kind, value);
        }
    }
    return json;
}

/** @param {string} type @param {any} value */
function isDefault(type, value) {
    if (type === 'bytes') return value.length === 0;
    return value === zero(type) || value === 0 || value === 0n;
}

/** @param {string} type @param {any} value */
function writeValue(type, value) {
    if (TYPES[type]) return toJSON(type, value);
    switch (type) {
    case 'bytes': return toBase64(value);
    case 'int64': case 'uint64': case 'fixed64': return String(value);
    case 'double': case 'float': return Number.isFinite(value) ? value : String(value);
    default: return value;
    }
}
