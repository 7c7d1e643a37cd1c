// @ts-check
/** The controls of one phone, and what it sees. */

const STATES = {
    offline: 'not connected', connecting: 'connecting', live: 'connected', pausing: 'cut off, and tries again',
};

/**
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node | string)} children
 * @returns {any}
 */
function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
}

export class Panel {
    /** @param {HTMLElement} place @param {import('./phone.js').Phone} phone @param {() => void} chosen */
    constructor(place, phone, chosen) {
        this.phone = phone;
        const title = `Phone ${phone.letter.toUpperCase()}`;
        this.name = make('input', { type: 'text', value: phone.name, 'aria-label': `Name of ${title}` });
        this.state = make('p', { class: 'state', role: 'status' });
        this.join = make('button', { type: 'button', onclick: () => this.#toggleConnection() }, 'Connect');
        this.cut = make('button', { type: 'button', onclick: () => this.#toggleCut() }, 'Cut the link');
        const walk = { type: 'button', 'aria-pressed': 'false', onclick: () => this.#toggleWalk() };
        this.walk = make('button', walk, 'Walk');
        const slow = make('input', {
            type: 'range', min: '0', max: '3000', step: '100', value: '0', 'aria-label': `Delay of ${title}`,
            oninput: (/** @type {any} */ event) => {
                phone.link.delay = Number(event.target.value);
                this.delay.textContent = `${event.target.value} ms`;
            },
        });
        this.delay = make('span', {}, '0 ms');
        const number = (/** @type {'lat' | 'lon'} */ axis) => make('input', {
            type: 'number', step: 'any', 'aria-label': `${axis === 'lat' ? 'Latitude' : 'Longitude'} of ${title}`,
            onchange: (/** @type {any} */ { target }) => phone.moveTo({ ...phone.place, [axis]: Number(target.value) }),
        });
        this.lat = number('lat');
        this.lon = number('lon');
        const step = (/** @type {string} */ text, /** @type {number} */ east, /** @type {number} */ north) => make(
            'button', { type: 'button', onclick: () => phone.step(east, north), 'aria-label': `${title}: 5 m ${text}` },
            text[0].toUpperCase());
        this.object = make('select', { 'aria-label': `What ${title} places` });
        this.choose = make('input', { type: 'radio', name: 'chosen', id: `choose-${phone.letter}`, onchange: chosen });
        this.refusal = make('p', { class: 'state', role: 'alert' });
        this.sees = make('ul', { class: 'sees', tabindex: '0', 'aria-label': `What ${title} sees` });
        place.replaceChildren(
            make('h2', {}, title), make('div', { class: 'row' }, this.name, this.join), this.state,
            make('div', { class: 'row' }, this.lat, this.lon),
            make('div', { class: 'row' }, step('north', 0, 5), step('south', 0, -5), step('east', 5, 0),
                step('west', -5, 0), this.walk,
                make('label', {}, this.choose, 'clicks on the map are its route')),
            make('div', { class: 'row' }, this.cut, make('span', {}, 'slowed by '), this.delay), slow,
            make('div', { class: 'row' }, this.object, make('button', {
                type: 'button', onclick: () => phone.leave(this.object.value) }, 'Place it here')),
            this.refusal, make('h3', {}, 'Sees'), this.sees);
        this.show();
    }

    #toggleConnection() {
        const { phone } = this;
        phone.name = this.name.value;
        if (phone.client.state === 'offline') void phone.connect();
        else phone.client.disconnect();
    }

    #toggleCut() {
        if (this.phone.link.isCut) this.phone.restore();
        else this.phone.cut();
    }

    #toggleWalk() {
        this.phone.isWalking = !this.phone.isWalking;
        this.walk.setAttribute('aria-pressed', String(this.phone.isWalking));
    }

    show() {
        const { phone } = this;
        const { client } = phone;
        this.state.dataset.state = client.state;
        const waits = client.unansweredCount > 0 ? `; ${client.unansweredCount} unanswered` : '';
        this.state.textContent = `${STATES[client.state]}${waits}`;
        this.join.textContent = client.state === 'offline' ? 'Connect' : 'Disconnect';
        this.cut.textContent = phone.link.isCut ? 'Restore the link' : 'Cut the link';
        if (document.activeElement !== this.lat) this.lat.value = phone.place.lat.toFixed(6);
        if (document.activeElement !== this.lon) this.lon.value = phone.place.lon.toFixed(6);
        this.refusal.textContent = phone.refusal ? `${phone.refusal.message} ${phone.refusal.remedy ?? ''}` : '';
        this.#showObjects(client.welcome?.limits?.presets ?? []);
        const people = client.people().map(({ name, cell }) => `${name}, in cell ${cell}`);
        const things = client.view.instances.map(({ id, object, version, cell }) => (
            `${object || 'a post'} ${id}, version ${version}, in cell ${cell}`));
        this.sees.replaceChildren(...[...people, ...things].slice(0, 200).map((text) => make('li', {}, text)));
    }

    /** @param {string[]} presets */
    #showObjects(presets) {
        if (this.object.options.length === presets.length) return;
        this.object.replaceChildren(...presets.map((preset) => make('option', {}, preset)));
    }
}
