// @ts-check
/**
 * Messages as JavaScript objects, in the two forms of the protocol. The schema is generated; this file knows only how
 * protobuf writes.
 *
 * In JavaScript names are in lowerCamelCase. `int64` (times) are numbers; `uint64` and `fixed64` are bigints, because
 * they may be larger than numbers are exact; bytes are `Uint8Array`. A message that was read has every field but the
 * absent optional ones, absent messages and the members of a oneof that is another one; a message to be written may
 * leave out any.
 */

import { ENUMS, TYPES } from './schema.js';

/** Deepest nesting that is read; the schema has less. */
const DEPTH_MAX = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const toUTF8 = new TextEncoder();

/** Bytes or JSON that are no message. */
export class MalformedMessage extends Error {}

/** @param {string} type */
export function fieldsOf(type) {
    const fields = TYPES[type];
    if (!fields) throw new TypeError(`the schema has no message ${type}`);
    return fields;
}

/** @type {Map<string, Map<number, import('./schema.js').Field>>} */
const byNumber = new Map();

/** @param {string} type */
function numbersOf(type) {
    let numbers = byNumber.get(type);
    if (!numbers) byNumber.set(type, numbers = new Map(fieldsOf(type).map((field) => [field[0], field])));
    return numbers;
}

/**
 * The default of a scalar or enumeration; undefined for a message.
 * @param {string} type
 */
export function zero(type) {
    switch (type) {
    case 'string': return '';
    case 'bool': return false;
    case 'bytes': return new Uint8Array(0);
    case 'uint64': case 'fixed64': return 0n;
    default: return ENUMS[type] ? ENUMS[type][0] : TYPES[type] ? undefined : 0;
    }
}

/**
 * A message with nothing in it.
 * @param {string} type @returns {any}
 */
export function empty(type) {
    /** @type {any} */
    const message = {};
    for (const [, name, kind, label] of fieldsOf(type)) {
        if (label === 'r') message[name] = [];
        else if (label === 'm') message[name] = {};
        else if (label === undefined && !TYPES[kind]) message[name] = zero(kind);
    }
    return message;
}

/**
 * The member of a oneof that is there: `kindOf('Item', item)`.
 * @param {string} type @param {any} message
 * @returns {string | undefined} its name
 */
export function kindOf(type, message) {
    for (const [, name, , label] of fieldsOf(type)) {
        if (label === 'b' && message[name] !== undefined) return name;
    }
    return undefined;
}

// MARK: Binary

/** A position in protobuf's wire format. Every length is checked before it is believed. */
export class Reader {
    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }

    get isAtEnd() { return this.at >= this.bytes.length; }

    /** A varint of at most 32 bits; higher bits are dropped, as protobuf does. */
    varint32() {
        const { bytes } = this;
        let value = 0;
        for (let shift = 0; shift < 70; shift += 7) {
            if (this.at >= bytes.length) throw new MalformedMessage('a number ends in the middle');
            const byte = bytes[this.at++];
            if (shift < 32) value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return value >>> 0;
        }
        throw new MalformedMessage('a number is too long');
    }

    varint64() {
        const { bytes } = this;
        let value = 0n;
        for (let shift = 0n; shift < 70n; shift += 7n) {
            if (this.at >= bytes.length) throw new MalformedMessage('a number ends in the middle');
            const byte = bytes[this.at++];
            value |= BigInt(byte & 0x7f) << shift;
            if (byte < 0x80) return BigInt.asUintN(64, value);
        }
        throw new MalformedMessage('a number is too long');
    }

    /** The bytes of a length-delimited field, not copied. */
    lengthDelimited() {
        const length = this.varint32();
        if (length > this.bytes.length - this.at) throw new MalformedMessage('a length reaches beyond the end');
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at);
    }

    /** @param {number} count */
    #step(count) {
        if (count > this.bytes.length - this.at) throw new MalformedMessage('a number ends in the middle');
        this.at += count;
        return this.at - count;
    }

    double() { return this.view.getFloat64(this.#step(8), true); }
    float() { return this.view.getFloat32(this.#step(4), true); }
    fixed64() { return this.view.getBigUint64(this.#step(8), true); }

    /**
     * Steps over a field of a newer server.
     * @param {number} wireType
     */
    skip(wireType) {
        switch (wireType) {
        case 0: this.varint64(); break;
        case 1: this.#step(8); break;
        case 2: this.lengthDelimited(); break;
        case 5: this.#step(4); break;
        default: throw new MalformedMessage(`wire type ${wireType}`);
        }
    }
}

/** @param {string} type @returns {number} */
function wireTypeOf(type) {
    switch (type) {
    case 'double': case 'fixed64': return 1;
    case 'float': return 5;
    case 'string': case 'bytes': return 2;
    default: return TYPES[type] ? 2 : 0;
    }
}

/** @param {Reader} reader @param {string} type @param {number} depth @returns {any} */
function readValue(reader, type, depth) {
    switch (type) {
    case 'double': return reader.double();
    case 'float': return reader.float();
    case 'fixed64': return reader.fixed64();
    case 'uint32': return reader.varint32();
    case 'int32': return reader.varint32() | 0;
    case 'sint32': {
        const value = reader.varint32();
        return (value >>> 1) ^ -(value & 1);
    }
    case 'int64': return Number(BigInt.asIntN(64, reader.varint64()));
    case 'uint64': return reader.varint64();
    case 'bool': return reader.varint64() !== 0n;
    case 'string': return text(reader.lengthDelimited());
    case 'bytes': return reader.lengthDelimited().slice();
    default:
        if (ENUMS[type]) {
            const value = reader.varint32();
            return ENUMS[type][value] ?? value;
        }
        return readMessage(type, reader.lengthDelimited(), depth + 1);
    }
}

/** @param {Uint8Array} bytes */
function text(bytes) {
    try {
        return utf8.decode(bytes);
    } catch {
        throw new MalformedMessage('a text is not UTF-8');
    }
}

/** @param {string} type @param {Uint8Array} bytes @param {number} depth */
function readMessage(type, bytes, depth) {
    if (depth > DEPTH_MAX) throw new MalformedMessage('nested too deep');
    const message = empty(type);
    const numbers = numbersOf(type);
    const reader = new Reader(bytes);
    while (!reader.isAtEnd) {
        const tag = reader.varint32();
        const field = numbers.get(tag >>> 3);
        const wireType = tag & 7;
        if (!field) {
            if (tag >>> 3 === 0) throw new MalformedMessage('a field without a number');
            reader.skip(wireType);
            continue;
        }
        const [, name, kind, label] = field;
        const own = wireTypeOf(kind);
        if (label === 'm') {
            const [key, value] = readEntry(reader.lengthDelimited(), kind, depth);
            message[name][key] = value;
        } else if (wireType === 2 && own !== 2 && label === 'r') {
            const packed = new Reader(reader.lengthDelimited());
            while (!packed.isAtEnd) message[name].push(readValue(packed, kind, depth));
        } else if (wireType !== own) {
            reader.skip(wireType);
        } else if (label === 'r') {
            message[name].push(readValue(reader, kind, depth));
        } else {
            // Of the members of a oneof the last one counts.
            if (label === 'b') dropOthers(type, message);
            message[name] = readValue(reader, kind, depth);
        }
    }
    return message;
}

/** @param {string} type @param {any} message */
function dropOthers(type, message) {
    for (const [, name, , label] of fieldsOf(type)) if (label === 'b') delete message[name];
}

/** @param {Uint8Array} bytes @param {string} kind @param {number} depth @returns {[string, any]} */
function readEntry(bytes, kind, depth) {
    const reader = new Reader(bytes);
    let key = '';
    let value = zero(kind);
    while (!reader.isAtEnd) {
        const tag = reader.varint32();
        if (tag === (1 << 3 | 2)) key = text(reader.lengthDelimited());
        else if (tag === (2 << 3 | wireTypeOf(kind))) value = readValue(reader, kind, depth);
        else reader.skip(tag & 7);
    }
    return [key, value];
}

/**
 * Reads the binary form.
 * @param {string} type name in the schema @param {Uint8Array} bytes @returns {any}
 * @throws {MalformedMessage}
 */
export function decode(type, bytes) { return readMessage(type, bytes, 0); }

/** Writes protobuf's wire format. */
class Writer {
    constructor() {
        this.bytes = new Uint8Array(128);
        this.at = 0;
    }

    /** @param {number} count @returns {number} where they begin */
    room(count) {
        const wanted = this.at + count;
        if (wanted > this.bytes.length) {
            const larger = new Uint8Array(Math.max(wanted, 2 * this.bytes.length));
            larger.set(this.bytes.subarray(0, this.at));
            this.bytes = larger;
        }
        this.at = wanted;
        return wanted - count;
    }

    /** @param {number} value */
    byte(value) {
        const at = this.room(1);
        this.bytes[at] = value;
    }

    /** @param {number | bigint} number */
    varint(number) {
        let rest = BigInt.asUintN(64, BigInt(number));
        while (rest > 0x7fn) {
            this.byte(Number(rest & 0x7fn) | 0x80);
            rest >>= 7n;
        }
        this.byte(Number(rest));
    }

    /** @param {Uint8Array} bytes */
    lengthDelimited(bytes) {
        this.varint(bytes.length);
        const at = this.room(bytes.length);
        this.bytes.set(bytes, at);
    }

    /** @param {number} count @param {(view: DataView, at: number) => void} write */
    fixed(count, write) {
        const at = this.room(count);
        write(new DataView(this.bytes.buffer), at);
    }

    get written() { return this.bytes.slice(0, this.at); }
}

/** @param {Writer} writer @param {string} type @param {any} value */
function writeValue(writer, type, value) {
    switch (type) {
    case 'double': writer.fixed(8, (view, at) => view.setFloat64(at, value, true)); break;
    case 'float': writer.fixed(4, (view, at) => view.setFloat32(at, value, true)); break;
    case 'fixed64': writer.fixed(8, (view, at) => view.setBigUint64(at, BigInt(value), true)); break;
    case 'uint32': writer.varint(value >>> 0); break;
    case 'int32': writer.varint(value | 0); break;
    case 'sint32': writer.varint(((value << 1) ^ (value >> 31)) >>> 0); break;
    case 'int64': writer.varint(typeof value === 'bigint' ? value : BigInt(Math.trunc(value))); break;
    case 'uint64': writer.varint(value); break;
    case 'bool': writer.varint(value ? 1 : 0); break;
    case 'string': writer.lengthDelimited(toUTF8.encode(value)); break;
    case 'bytes': writer.lengthDelimited(value); break;
    default:
        if (ENUMS[type]) writer.varint(numberOf(type, value));
        else writer.lengthDelimited(encode(type, value));
    }
}

/** @param {string} type @param {string | number} value */
function numberOf(type, value) {
    if (typeof value === 'number') return value;
    for (const [number, name] of Object.entries(ENUMS[type])) if (name === value) return Number(number);
    throw new TypeError(`${type} has no value ${value}`);
}

/** @param {string} type @param {any} value */
function isZero(type, value) {
    if (type === 'bytes') return value.length === 0;
    if (type === 'double' || type === 'float') return Object.is(value, 0);
    return value === zero(type) || value === 0 || value === 0n;
}

/**
 * Writes the binary form. Members that the schema does not have are a mistake of the caller's.
 * @param {string} type name in the schema @param {any} message @returns {Uint8Array}
 * @throws {TypeError} the message has another name or a value of another type
 */
export function encode(type, message) {
    checkNames(type, message);
    const writer = new Writer();
    for (const [number, name, kind, label] of fieldsOf(type)) {
        const value = message[name];
        if (value === undefined || value === null) continue;
        const own = wireTypeOf(kind);
        if (label === 'm') {
            for (const [key, entry] of Object.entries(value)) {
                const pair = new Writer();
                pair.varint(1 << 3 | 2);
                writeValue(pair, 'string', key);
                pair.varint(2 << 3 | own);
                writeValue(pair, kind, entry);
                writer.varint(number << 3 | 2);
                writer.lengthDelimited(pair.written);
            }
        } else if (label === 'r' && own !== 2) {
            if (value.length === 0) continue;
            const packed = new Writer();
            for (const element of value) writeValue(packed, kind, element);
            writer.varint(number << 3 | 2);
            writer.lengthDelimited(packed.written);
        } else {
            for (const element of label === 'r' ? value : [value]) {
                if (label === undefined && !TYPES[kind] && isZero(kind, element)) continue;
                writer.varint(number << 3 | own);
                writeValue(writer, kind, element);
            }
        }
    }
    return writer.written;
}

/** @param {string} type @param {any} message */
export function checkNames(type, message) {
    if (message === null || typeof message !== 'object') throw new TypeError(`${type} is no object`);
    const fields = fieldsOf(type);
    for (const name of Object.keys(message)) {
        if (!fields.some((field) => field[1] === name)) throw new TypeError(`${type} has no field ${name}`);
    }
}
