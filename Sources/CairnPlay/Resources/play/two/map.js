// @ts-check
import { cellCorners } from '/play/cairn/geo.js';

const COLOURS = { a: '#0a6570', b: '#9a3412' };

/** The map with both phones, their routes, the cells that they see, and the things in them. */
export class GroundMap {
    /** @param {any} leaflet @param {HTMLElement} place @param {import('./phone.js').Phone[]} phones */
    constructor(leaflet, place, phones) {
        this.leaflet = leaflet;
        this.phones = phones;
        this.map = leaflet.map(place, { preferCanvas: true, maxZoom: 22 }).setView(phones[0].place, 18);
        leaflet.control.scale({ imperial: false }).addTo(this.map);
        this.drawn = leaflet.layerGroup().addTo(this.map);
        this.markers = phones.map((phone) => this.#marker(phone));
        // The panels beside it grow, and the map with them.
        new ResizeObserver(() => this.map.invalidateSize({ animate: false })).observe(place);
        void this.#ground();
    }

    /** @param {import('./phone.js').Phone} phone */
    #marker(phone) {
        const title = `Phone ${phone.letter.toUpperCase()}`;
        const label = document.createElement('span');
        label.textContent = phone.letter.toUpperCase();
        const icon = this.leaflet.divIcon({ className: `pin-${phone.letter}`, html: label, iconSize: [26, 26] });
        const marker = this.leaflet.marker(phone.place, { icon, draggable: true, title, alt: title }).addTo(this.map);
        marker.on('drag', () => {
            const { lat, lng } = marker.getLatLng();
            phone.moveTo({ lat, lon: lng });
        });
        return marker;
    }

    async #ground() {
        try {
            const { tiles, attribution, file, countries } = await (await fetch('/play/ground.json')).json();
            const options = { maxZoom: 22, attribution: plain(attribution ?? '') };
            if (tiles) this.leaflet.tileLayer(tiles, options).addTo(this.map);
            for (const shapes of [file, tiles ? null : countries]) {
                if (!shapes) continue;
                const content = await (await fetch(shapes)).json();
                const style = { color: '#7b8f8a', weight: 1, fillOpacity: 0.05, interactive: false };
                this.leaflet.geoJSON(content, { style, interactive: false }).addTo(this.map);
            }
        } catch {
            // A map without ground still shows cells and phones.
        }
    }

    /** @param {(place: {lat: number, lon: number}) => void} clicked */
    onClick(clicked) {
        this.map.on('click', (/** @type {any} */ { latlng }) => clicked({ lat: latlng.lat, lon: latlng.lng }));
    }

    show() {
        const { leaflet, drawn } = this;
        drawn.clearLayers();
        this.phones.forEach((phone, index) => {
            const color = COLOURS[phone.letter];
            this.markers[index].setLatLng(toLatLng(phone.place));
            for (const topic of phone.client.view.topics.keys()) {
                const corners = cellCorners(topic.split('/', 1)[0]);
                if (!corners) continue;
                const line = { color, weight: 1, fill: false, interactive: false, dashArray: index === 0 ? '' : '6 4' };
                leaflet.polygon(corners.map(toLatLng), line).addTo(drawn);
            }
            for (const { pose, post } of phone.client.view.instances) {
                const { lat, lon } = pose?.geopose?.position ?? post?.place ?? {};
                if (lat === undefined || lon === undefined) continue;
                const ring = { radius: 16 + 4 * index, color, weight: 2, fillOpacity: 0.2, interactive: false };
                leaflet.circleMarker([lat, lon], ring).addTo(drawn);
            }
            leaflet.polyline(phone.route.map(toLatLng), { color, dashArray: '2 6' }).addTo(drawn);
            for (const { pose } of phone.client.people()) {
                const dot = { radius: 3, color, fillOpacity: 1, interactive: false };
                if (pose) leaflet.circleMarker([pose.lat, pose.lon], dot).addTo(drawn);
            }
        });
    }
}

/** @param {{lat: number, lon: number}} place @returns {[number, number]} */
function toLatLng({ lat, lon }) { return [lat, lon]; }

/**
 * Leaflet writes an attribution as HTML: only text gets there.
 * @param {string} text
 */
function plain(text) { return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`); }
