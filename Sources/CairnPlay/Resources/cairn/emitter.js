// @ts-check

/**
 * A source of events. A listener that throws stops no other listener: what it threw is the event `error`.
 * @template Events what the listeners of each name get
 */
export class Emitter {
    constructor() {
        /** @type {Map<string, Set<(detail: any) => void>>} */
        this.listeners = new Map();
    }

    /**
     * @template {keyof Events & string} Name
     * @param {Name} name @param {(detail: Events[Name]) => void} listener
     * @returns {() => void} ends it
     */
    on(name, listener) {
        const listeners = this.listeners.get(name) ?? new Set();
        this.listeners.set(name, listeners);
        listeners.add(listener);
        return () => { listeners.delete(listener); };
    }

    /**
     * The next event of a name.
     * @template {keyof Events & string} Name
     * @param {Name} name @returns {Promise<Events[Name]>}
     */
    next(name) {
        return new Promise((resolve) => {
            const end = this.on(name, (detail) => {
                end();
                resolve(detail);
            });
        });
    }

    /**
     * Whether anybody listens.
     * @param {string} name
     */
    hears(name) { return (this.listeners.get(name)?.size ?? 0) > 0; }

    /** @param {string} name @param {any} detail */
    emit(name, detail) {
        for (const listener of [...this.listeners.get(name) ?? []]) {
            try {
                listener(detail);
            } catch (error) {
                if (name !== 'error' && this.hears('error')) this.emit('error', error);
                else console.error(error);
            }
        }
    }
}
