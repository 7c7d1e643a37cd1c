// @ts-check
import { LocalPlane } from '/play/cairn/geo.js';
import { kindOf } from '/play/cairn/codec.js';
import { Composer } from './compose.js';
import { GroundMap } from './map.js';
import { Panel } from './panel.js';
import { Phone } from './phone.js';
import { ofClient, ofItem, pretty } from './words.js';

/** Frames that the page remembers. */
const FRAMES_MAX = 500;
/** Where the phones stand when the address does not say it: `?at=LAT,LON`. */
const PLACE = { lat: 47.3769, lon: 8.5417 };

const at = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/** @returns {{lat: number, lon: number}} */
function start() {
    const numbers = (new URLSearchParams(location.search).get('at') ?? '').split(',').map(Number);
    const [lat, lon] = numbers;
    return numbers.length === 2 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : PLACE;
}

const first = start();
/** @type {Record<string, Phone>} */
const phones = {};
/** @type {Record<string, Panel>} */
const panels = {};
/** @type {GroundMap | null} */
let map = null;
let isDue = false;

/** Shows all anew, once for each picture of the screen. */
function show() {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
        isDue = false;
        for (const panel of Object.values(panels)) panel.show();
        map?.show();
    });
}

/** @param {Phone} phone @param {string} text @param {any} message @param {boolean} [isWrong] */
function log(phone, text, message, isWrong = false) {
    if (at('still').checked) return;
    const line = document.createElement('li');
    line.className = phone.letter;
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    const who = document.createElement('span');
    who.className = 'who';
    who.textContent = `${phone.letter.toUpperCase()} `;
    const words = document.createElement('span');
    words.textContent = text;
    words.classList.toggle('wrong', isWrong);
    summary.append(who, words);
    const body = document.createElement('pre');
    details.append(summary, body);
    // Most frames are never opened.
    details.addEventListener('toggle', () => { body.textContent = pretty(message); }, { once: true });
    line.append(details);
    const list = at('log');
    list.prepend(line);
    while (list.childElementCount > FRAMES_MAX) list.lastElementChild.remove();
}

/** @param {Phone} phone @param {{direction: string, message: any, bytes: any}} frame */
function logFrame(phone, { direction, message, bytes }) {
    const isLoud = at('positions').checked;
    if (direction === 'out') {
        const text = `${ofClient(message)} (${bytes.length} bytes)`;
        if (isLoud || !message.position || message.id) log(phone, text, message);
        return;
    }
    for (const item of message?.items ?? []) {
        if (isLoud || kindOf('Item', item) !== 'presence') log(phone, ofItem(item), item);
    }
}

for (const [letter, east] of /** @type {['a' | 'b', number][]} */ ([['a', 0], ['b', 20]])) {
    const phone = new Phone(letter, new LocalPlane(first).place(east, 0), show);
    phones[letter] = phone;
    panels[letter] = new Panel(at(letter), phone, show);
    phone.client.on('frame', (frame) => logFrame(phone, frame));
    phone.client.on('disconnected', ({ code, reason, after }) => {
        const next = after === null ? 'and does not come back by itself' : `and tries again in ${Math.round(after)} ms`;
        log(phone, `the connection ended (${code}${reason && `, ${reason}`}), ${next}`, { code, reason, after }, true);
    });
    phone.client.on('violation', (violation) => log(phone, `a rule was broken: ${violation.rule}`, violation, true));
}
at('choose-a').checked = true;
at('clear').addEventListener('click', () => at('log').replaceChildren());

const composer = new Composer(at('compose'), phones);
void composer.load();

try {
    const { leaflet } = await import(/** @type {any} */ ('/play/lib/leaflet.js'));
    map = new GroundMap(leaflet, at('map'), Object.values(phones));
    map.onClick((place) => {
        phones[at('choose-a').checked ? 'a' : 'b'].route.push(place);
        show();
    });
} catch {
    at('map').hidden = true;
    at('nomap').hidden = false;
}
for (const phone of Object.values(phones)) void phone.connect();
show();
// The glide of people between their poses.
setInterval(show, 100);
