// @ts-check
import { fromJSON } from '/play/cairn/json.js';
import { pretty } from './words.js';

/** Deepest message in a template; deeper ones are left out. */
const TEMPLATE_DEPTH = 3;

/** The form that composes any request from the schema. */
export class Composer {
    /** @param {HTMLElement} place @param {Record<string, import('./phone.js').Phone>} phones */
    constructor(place, phones) {
        this.phones = phones;
        this.form = /** @type {HTMLFormElement} */ (place.querySelector('form'));
        this.about = /** @type {HTMLElement} */ (place.querySelector('#about'));
        this.fields = /** @type {HTMLElement} */ (place.querySelector('#fields'));
        this.answer = /** @type {HTMLElement} */ (place.querySelector('#answer'));
        this.kind = /** @type {HTMLSelectElement} */ (this.form.elements.namedItem('kind'));
        this.body = /** @type {HTMLTextAreaElement} */ (this.form.elements.namedItem('body'));
        this.phone = /** @type {HTMLSelectElement} */ (this.form.elements.namedItem('phone'));
        this.kind.addEventListener('change', () => this.#template());
        this.form.addEventListener('submit', (event) => {
            event.preventDefault();
            void this.#send();
        });
        /** @type {any} */
        this.schema = null;
    }

    async load() {
        this.schema = await (await fetch('/play/cairn/schema.json')).json();
        for (const kind of Object.keys(this.schema.requests).sort()) {
            // The client says hello by itself.
            if (kind !== 'hello') this.kind.add(new Option(kind, kind, kind === 'place', kind === 'place'));
        }
        this.#template();
    }

    /** A body with all fields, and what they mean. */
    #template() {
        const { type, keyed } = this.schema.requests[this.kind.value];
        const { about, fields } = this.schema.messages[type];
        this.about.textContent = about + (keyed ? ' The client makes up the key.' : '');
        this.body.value = JSON.stringify(this.#example(type, 0), null, 2);
        this.fields.replaceChildren(...fields.flatMap((/** @type {any} */ field) => {
            const name = document.createElement('dt');
            name.textContent = `${field.name}: ${[field.label, field.type].filter(Boolean).join(' ')}`;
            const meaning = document.createElement('dd');
            meaning.textContent = field.about;
            return [name, meaning];
        }));
    }

    /** @param {string} type @param {number} depth @returns {any} */
    #example(type, depth) {
        const { lat, lon } = this.phones[this.phone.value].place;
        if (type === 'GeoPosition') return { lat, lon, h: 0 };
        if (type === 'TourPoint') return { lat, lon };
        if (type === 'Quaternion') return { x: 0, y: 0, z: 0, w: 1 };
        /** @type {any} */
        const example = {};
        for (const field of this.schema.messages[type].fields) {
            if (field.type === 'Anchor' || (type === 'Pose' && field.name === 'accuracy')) continue;
            const value = this.#value(field, depth);
            if (value !== undefined) example[field.name] = value;
        }
        return example;
    }

    /** @param {any} field @param {number} depth */
    #value({ name, type, label }, depth) {
        if (this.schema.messages[type]) {
            if (depth >= TEMPLATE_DEPTH) return undefined;
            const example = this.#example(type, depth + 1);
            return label === 'repeated' ? [example] : example;
        }
        if (label === 'repeated') return [];
        if (this.schema.enums[type]) return this.schema.enums[type][0].name;
        const known = { object: 'preset:heart', scale: 1, lat: this.phones[this.phone.value].place.lat,
            lon: this.phones[this.phone.value].place.lon }[/** @type {string} */ (name)];
        if (known !== undefined) return known;
        switch (type) {
        case 'string': case 'bytes': return '';
        case 'bool': return false;
        case 'int64': case 'uint64': case 'fixed64': return '0';
        default: return 0;
        }
    }

    async #send() {
        const kind = this.kind.value;
        this.answer.classList.remove('wrong');
        this.answer.textContent = 'sent';
        try {
            const body = fromJSON(this.schema.requests[kind].type, JSON.parse(this.body.value));
            const result = await this.phones[this.phone.value].client.request(/** @type {any} */ (kind), body);
            this.answer.textContent = `Answered: ${pretty(result)}`;
        } catch (error) {
            const { code, message, remedy = '' } = /** @type {any} */ (error);
            this.answer.classList.add('wrong');
            this.answer.textContent = `${code ? `Refused, ${code}: ` : ''}${message} ${remedy}`;
        }
    }
}
