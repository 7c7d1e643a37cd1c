// A document as far as the modules of the page and of the console need one: elements with attributes, text, listeners
// and the focus. It lays nothing out and reads no HTML. What it does not know it refuses, so that no test passes by it.

const SIMPLE =
    /(\*|[a-z][\w-]*)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:="?([^"\]]*)"?)?\]|:(focus|focus-within|hover)(?![\w-])/gy;

/**
 * Whether an element fits a selector of tags, ids, classes, attributes and the focus, one in another and several of
 * them.
 * @param {Element} element
 * @param {string} selector
 * @returns {boolean}
 */
function fits(element, selector) {
    return selector.split(',').some((one) => {
        const parts = one.trim().split(/\s+/), last = parts.pop() ?? '';
        if (!isSimple(element, last)) return false;
        let above = element.parentNode;
        for (const part of parts.reverse()) {
            while (above && !isSimple(above, part)) above = above.parentNode;
            if (!above) return false;
            above = above.parentNode;
        }
        return true;
    });
}

/**
 * @param {Element} element
 * @param {string} selector
 */
function isSimple(element, selector) {
    let end = 0;
    for (const [all, tag, id, kind, name, value, state] of selector.matchAll(SIMPLE)) {
        end += all.length;
        if (tag && tag !== '*' && tag !== element.localName || id && id !== element.id) return false;
        if (kind && !element.classList.contains(kind)) return false;
        if (name && !element.attributes.has(name)) return false;
        const { activeElement } = document;
        // There is no pointer.
        if (state === 'hover' || state === 'focus' && activeElement !== /** @type {any} */ (element)) return false;
        if (state === 'focus-within' && !element.contains(activeElement)) return false;
        if (value !== undefined && element.attributes.get(name) !== value) return false;
    }
    if (end !== selector.length) throw new Error(`no selector that this document knows: ${selector}`);
    return true;
}

class Text {
    /** @type {Element | null} */
    parentNode = null;

    /** @param {string} data */
    constructor(data) {
        this.textContent = data;
    }

    remove() {
        this.parentNode?.replace(this);
    }
}

/** Properties that are attributes of the same name. */
const REFLECTED = ['id', 'role', 'title', 'type', 'name', 'href'];
/** Properties that are attributes without a value. */
const FLAGS = ['hidden', 'disabled', 'open'];

export class Element extends EventTarget {
    /** @type {(Element | Text)[]} */
    childNodes = [];
    /** @type {Element | null} */
    parentNode = null;
    /** @type {Map<string, string>} */
    attributes = new Map();
    style = { setProperty() {} };
    value = '';
    checked = false;
    scrollTop = 0;
    /** How high it begins on the screen, where a test says so. */
    top = () => 0;

    /** @param {string} name */
    constructor(name) {
        super();
        this.localName = name;
    }

    get children() {
        return /** @type {Element[]} */ (this.childNodes.filter((one) => one instanceof Element));
    }

    get textContent() {
        return this.childNodes.map((one) => one.textContent).join('');
    }

    set textContent(text) {
        this.replaceChildren(...(text === '' ? [] : [text]));
    }

    get firstElementChild() {
        return this.children[0] ?? null;
    }

    get nextElementSibling() {
        const all = this.parentNode?.children ?? [];
        return all[all.indexOf(this) + 1] ?? null;
    }

    get options() {
        return this.children;
    }

    get isConnected() {
        return document.body.contains(/** @type {any} */ (this));
    }

    get dataset() {
        const attribute = (/** @type {string} */ name) =>
            `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        return new Proxy(/** @type {any} */ ({}), {
            get: (_, name) => this.attributes.get(attribute(String(name))),
            set: (_, name, value) => this.attributes.set(attribute(String(name)), String(value)) !== undefined,
            deleteProperty: (_, name) => this.attributes.delete(attribute(String(name))) || true,
        });
    }

    get classList() {
        const names = () => new Set((this.attributes.get('class') ?? '').split(' ').filter(Boolean));
        const put = (/** @type {Set<string>} */ all) => this.attributes.set('class', [...all].join(' '));
        return {
            contains: (/** @type {string} */ name) => names().has(name),
            add: (/** @type {string[]} */ ...more) => put(new Set([...names(), ...more])),
            remove: (/** @type {string} */ name) => put(new Set([...names()].filter((one) => one !== name))),
            toggle: (/** @type {string} */ name, isOn = !names().has(name)) =>
                put(new Set([...names()].filter((one) => one !== name).concat(isOn ? [name] : []))),
        };
    }

    getAttribute(/** @type {string} */ name) {
        return this.attributes.get(name) ?? null;
    }

    setAttribute(/** @type {string} */ name, /** @type {any} */ value) {
        this.attributes.set(name, String(value));
    }

    hasAttribute(/** @type {string} */ name) {
        return this.attributes.has(name);
    }

    removeAttribute(/** @type {string} */ name) {
        this.attributes.delete(name);
    }

    toggleAttribute(/** @type {string} */ name, isOn = !this.attributes.has(name)) {
        if (isOn) this.attributes.set(name, '');
        else this.attributes.delete(name);
    }

    /**
     * Puts others where a child is, or takes it away.
     * @param {Element | Text} child
     * @param {...any} others
     */
    replace(child, ...others) {
        const isNode = (/** @type {any} */ one) => one instanceof Element || one instanceof Text;
        const nodes = others.map((one) => (isNode(one) ? one : new Text(String(one))));
        const place = this.childNodes.indexOf(child), held = new Text('');
        this.childNodes.splice(place < 0 ? this.childNodes.length : place, place < 0 ? 0 : 1, held);
        if (place >= 0) child.parentNode = null;
        for (const one of nodes) one.remove();
        this.childNodes.splice(this.childNodes.indexOf(held), 1, ...nodes);
        for (const one of nodes) one.parentNode = this;
    }

    append(/** @type {any[]} */ ...nodes) {
        for (const one of nodes) this.replace(/** @type {any} */ (null), one);
    }

    prepend(/** @type {any[]} */ ...nodes) {
        const [first] = this.childNodes;
        if (first) this.replace(first, ...nodes, first);
        else this.append(...nodes);
    }

    insertBefore(/** @type {Element} */ node, /** @type {Element | null} */ before) {
        if (before) this.replace(before, node, before);
        else this.append(node);
    }

    before(/** @type {any[]} */ ...nodes) {
        this.parentNode?.replace(this, ...nodes, this);
    }

    after(/** @type {any[]} */ ...nodes) {
        this.parentNode?.replace(this, this, ...nodes);
    }

    replaceWith(/** @type {any[]} */ ...nodes) {
        this.parentNode?.replace(this, ...nodes);
    }

    replaceChildren(/** @type {any[]} */ ...nodes) {
        for (const one of [...this.childNodes]) one.remove();
        this.append(...nodes);
    }

    remove() {
        this.parentNode?.replace(this);
    }

    contains(/** @type {any} */ other) {
        for (let one = other; one; one = one.parentNode) if (one === this) return true;
        return false;
    }

    matches(/** @type {string} */ selector) {
        return fits(this, selector);
    }

    /** @returns {Element | null} */
    closest(/** @type {string} */ selector) {
        return fits(this, selector) ? this : this.parentNode?.closest(selector) ?? null;
    }

    /** @returns {Element[]} */
    querySelectorAll(/** @type {string} */ selector) {
        return this.children.flatMap((one) => [...(fits(one, selector) ? [one] : []),
            ...one.querySelectorAll(selector)]);
    }

    querySelector(/** @type {string} */ selector) {
        return this.querySelectorAll(selector)[0] ?? null;
    }

    getClientRects() {
        return this.isConnected && !this.closest('[hidden]') ? [{}] : [];
    }

    getBoundingClientRect() {
        return { top: this.top() };
    }

    focus() {
        if (this.isConnected) focused = this;
    }

    click() {
        if (!this.hasAttribute('disabled')) this.dispatchEvent(new Event('click'));
    }

    scrollIntoView() {}
}

for (const name of REFLECTED) {
    Object.defineProperty(Element.prototype, name, {
        get() { return this.attributes.get(name) ?? ''; }, set(value) { this.attributes.set(name, String(value)); },
    });
}
for (const name of FLAGS) {
    Object.defineProperty(Element.prototype, name, {
        get() { return this.attributes.has(name); }, set(value) { this.toggleAttribute(name, Boolean(value)); },
    });
}

/** What an element of a list is. */
class Line {
    static [Symbol.hasInstance](/** @type {any} */ one) { return one instanceof Element && one.localName === 'li'; }
}

/** @type {Element | null} */
let focused = null;

/**
 * Makes the document, with these elements in its body, and the rest of what a browser has beside it.
 * @param {...string} ids
 */
export function open(...ids) {
    const root = new Element('html'), body = new Element('body');
    root.append(body);
    focused = null;
    const document = {
        documentElement: root, body, hidden: false,
        get activeElement() { return focused?.isConnected ? focused : body; },
        createElement: (/** @type {string} */ name) => new Element(name),
        createElementNS: (/** @type {string} */ _, /** @type {string} */ name) => new Element(name),
        getElementById: (/** @type {string} */ id) => body.querySelector(`#${id}`),
        querySelector: (/** @type {string} */ selector) => body.querySelector(selector),
        querySelectorAll: (/** @type {string} */ selector) => body.querySelectorAll(selector),
    };
    const window = new EventTarget();
    Object.assign(globalThis, {
        document, HTMLElement: Element, HTMLLIElement: Line,
        location: { hash: '', hostname: 'example.org', origin: 'http://localhost:1' },
        addEventListener: window.addEventListener.bind(window), dispatchEvent: window.dispatchEvent.bind(window),
        removeEventListener: window.removeEventListener.bind(window),
        ResizeObserver: class { observe() {} }, CSS: { escape: (/** @type {string} */ text) => text },
        matchMedia: () => ({ matches: false, addEventListener() {} }),
    });
    for (const id of ids) {
        const element = new Element('div');
        element.id = id;
        body.append(element);
    }
    return { byId: (/** @type {string} */ id) => /** @type {any} */ (body.querySelector(`#${id}`)) };
}

/**
 * An answer that comes when the test says so: the order of what happens is the test's.
 * @template [T=any]
 * @returns {{promise: Promise<T>, arrive: (value: T) => Promise<void>, fail: (error: any) => Promise<void>}}
 */
export function awaited() {
    /** @type {any} */
    let resolve, reject;
    const promise = /** @type {Promise<T>} */ (new Promise((...both) => { [resolve, reject] = both; }));
    // All that waits for it has run when a task of its own is due.
    const settled = () => new Promise((done) => { setImmediate(done); });
    return { promise, arrive: (value) => { resolve(value); return settled(); },
        fail: (error) => { reject(error); return settled(); } };
}
