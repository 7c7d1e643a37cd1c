// A WebSocket for Node, which has none of its own before version 22: as much of RFC 6455 as Cairn's server sends.

import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export class NodeSocket {
    /** @param {string} url @param {string} protocol */
    constructor(url, protocol) {
        this.readyState = 0;
        this.binaryType = 'arraybuffer';
        /** @type {((event: any) => void) | null} */
        this.onopen = this.onmessage = this.onclose = this.onerror = null;
        this.rest = Buffer.alloc(0);
        /** @type {Buffer[]} */
        this.pieces = [];
        this.kind = 0;
        this.closeCode = 1006;
        const key = randomBytes(16).toString('base64');
        const asking = request(url.replace(/^ws/, 'http'), { headers: {
            Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key,
            'Sec-WebSocket-Protocol': protocol,
        } });
        asking.on('upgrade', (response, stream, head) => {
            const wanted = createHash('sha1').update(key + GUID).digest('base64');
            if (response.headers['sec-websocket-accept'] !== wanted) stream.destroy();
            this.stream = stream;
            stream.on('data', (/** @type {Buffer} */ data) => this.#take(data));
            stream.on('error', () => {});
            stream.on('close', () => this.#end());
            this.readyState = 1;
            this.onopen?.({});
            this.#take(head);
        });
        asking.on('response', () => this.#end());
        asking.on('error', () => this.#end());
        asking.end();
        this.asking = asking;
    }

    /** @param {string | Uint8Array} data */
    send(data) {
        this.#frame(typeof data === 'string' ? 1 : 2, Buffer.from(/** @type {any} */ (data)));
    }

    /** @param {number} [code] */
    close(code = 1000) {
        if (this.readyState === 0) this.asking.destroy();
        if (this.readyState !== 1) return;
        this.readyState = 2;
        this.#frame(8, Buffer.from([code >> 8, code & 255]));
        this.stream?.end();
    }

    #end() {
        if (this.readyState === 3) return;
        this.readyState = 3;
        this.onclose?.({ code: this.closeCode, reason: '' });
    }

    /** @param {number} kind @param {Buffer} body */
    #frame(kind, body) {
        const mask = randomBytes(4);
        const long = body.length > 65535;
        const head = Buffer.alloc(body.length < 126 ? 2 : long ? 10 : 4);
        head[0] = 0x80 | kind;
        head[1] = 0x80 | (body.length < 126 ? body.length : long ? 127 : 126);
        if (long) head.writeBigUInt64BE(BigInt(body.length), 2);
        else if (body.length >= 126) head.writeUInt16BE(body.length, 2);
        this.stream?.write(Buffer.concat([head, mask, body.map((byte, index) => byte ^ mask[index % 4])]));
    }

    /** @param {Buffer} data */
    #take(data) {
        this.rest = Buffer.concat([this.rest, data]);
        for (;;) {
            const { rest } = this;
            if (rest.length < 2) return;
            const short = rest[1] & 127;
            const start = short < 126 ? 2 : short === 126 ? 4 : 10;
            if (rest.length < start) return;
            const length = short < 126 ? short
                : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
            if (rest.length < start + length) return;
            this.rest = rest.subarray(start + length);
            this.#receive(rest[0] & 15, (rest[0] & 128) !== 0, rest.subarray(start, start + length));
        }
    }

    /** @param {number} kind @param {boolean} isLast @param {Buffer} body */
    #receive(kind, isLast, body) {
        if (kind === 9) {
            this.#frame(10, body);
        } else if (kind === 8) {
            this.closeCode = body.length >= 2 ? body.readUInt16BE(0) : 1005;
            this.stream?.end();
        } else if (kind < 3) {
            if (kind !== 0) this.kind = kind;
            this.pieces.push(body);
            if (!isLast) return;
            const whole = Buffer.concat(this.pieces.splice(0));
            const data = this.kind === 1 ? whole.toString() : whole.buffer.slice(
                whole.byteOffset, whole.byteOffset + whole.length);
            this.onmessage?.({ data });
        }
    }
}
