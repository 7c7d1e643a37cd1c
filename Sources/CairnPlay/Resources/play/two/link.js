// @ts-check
/**
 * A link that can be cut, slowed and restored: it makes sockets that look like WebSockets and hold back what goes
 * through them.
 */
export class Link {
    constructor() {
        /** Milliseconds that every message waits, in both directions. */
        this.delay = 0;
        this.isCut = false;
        /** @type {SlowSocket | null} */
        this.socket = null;
    }

    /** @param {string} url @param {string} protocol @returns {any} */
    open(url, protocol) {
        this.socket = new SlowSocket(this, url, protocol);
        return this.socket;
    }

    /** The link ends at once, and no other opens until it is restored. */
    cut() {
        this.isCut = true;
        this.socket?.drop();
    }

    restore() { this.isCut = false; }
}

class SlowSocket {
    /** @param {Link} link @param {string} url @param {string} protocol */
    constructor(link, url, protocol) {
        this.link = link;
        /** @type {((event: any) => void) | null} */
        this.onopen = null;
        /** @type {((event: any) => void) | null} */
        this.onmessage = null;
        /** @type {((event: any) => void) | null} */
        this.onclose = null;
        this.isOver = false;
        /** When the last message of each direction gets through: a slow link keeps the order. */
        this.lastIn = 0;
        this.lastOut = 0;
        if (link.isCut) {
            this.socket = null;
            setTimeout(() => this.end({ code: 1006, reason: 'the link is cut' }), 0);
            return;
        }
        const socket = new WebSocket(url, protocol);
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        socket.onopen = (event) => this.lastIn = this.#later(this.lastIn, () => this.onopen?.(event));
        socket.onmessage = (event) => this.lastIn = this.#later(this.lastIn, () => this.onmessage?.(event));
        socket.onclose = ({ code, reason }) => this.lastIn = this.#later(this.lastIn, () => this.end({ code, reason }));
    }

    get readyState() { return this.isOver ? 3 : this.socket?.readyState ?? 3; }

    /** @param {any} bytes */
    send(bytes) {
        this.lastOut = this.#later(this.lastOut, () => { if (this.socket?.readyState === 1) this.socket.send(bytes); });
    }

    /** @param {number} [code] */
    close(code) {
        this.socket?.close(code);
        this.end({ code: 1006, reason: '' });
    }

    /**
     * The link is cut. A page cannot break a connection, and to close it would end the session: it is left open,
     * unheard, until the server closes it because the phone has come back.
     */
    drop() { this.end({ code: 1006, reason: 'the link was cut' }); }

    /** @param {{code: number, reason: string}} event */
    end(event) {
        if (this.isOver) return;
        this.isOver = true;
        this.onclose?.(event);
    }

    /** @param {number} last @param {() => void} act @returns {number} when it happens */
    #later(last, act) {
        const at = Math.max(last, performance.now() + this.link.delay);
        const wait = at - performance.now();
        const guarded = () => { if (!this.isOver && !this.link.isCut) act(); };
        if (wait <= 0) guarded();
        else setTimeout(guarded, wait);
        return at;
    }
}
