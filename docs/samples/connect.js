// A client of Cairn in one file: connect, tell a position, place, react, resume; and the maps between frames.
//
// For a browser, or Node 22 and newer. Run by the project's tests. For more than a trial import cairn.js from
// /play/cairn/index.js of your server: it does all of this, and keeps what must not get lost.

const URL = 'ws://127.0.0.1:8080/v1';
const TOKEN = ''; // of an earlier welcome or of your app's backend; empty: the name is enough where anybody is let in
const NAME = 'ada';
const HERE = { lat: 47.3769, lon: 8.5417, h: 408 };

// Between GeoPose's east-north-up frame and the axes of WebXR and three.js: +X east, +Y up, -Z north.
const toDevice = ([[east, north, up], [x, y, z, w]]) => [[east, up, -north], [x, z, -y, w]];
const fromDevice = ([[px, py, pz], [x, y, z, w]]) => [[px, -pz, py], [x, -z, y, w]];

const HALF = Math.SQRT1_2;
const VECTORS = [ // east-north-up, then the device's
    [[[1, 2, 3], [0, 0, 0, 1]], [[1, 3, -2], [0, 0, 0, 1]]],
    [[[0, 10, 0], [0, 0, HALF, HALF]], [[0, 0, -10], [0, HALF, 0, HALF]]],
    [[[-4, 0, 1.5], [HALF, 0, 0, HALF]], [[-4, 1.5, 0], [HALF, 0, 0, HALF]]],
    [[[0, -7, -0.25], [0, HALF, 0, HALF]], [[0, -0.25, 7], [0, 0, -HALF, HALF]]],
    [[[1, -1, 1], [0.5, 0.5, 0.5, 0.5]], [[1, 1, 1], [0.5, 0.5, -0.5, 0.5]]],
];

/** What survives a cut: who we are, and how much of each topic we have seen. */
class Session {
    token = TOKEN;
    session = '';
    cursors = new Map();
    things = new Map();
    waiters = new Map();
    lastID = 0;

    async connect() {
        const socket = new WebSocket(URL, 'cairn.v1.json');
        this.socket = socket;
        await new Promise((resolve, reject) => {
            socket.onopen = resolve;
            socket.onerror = () => reject(new Error('no connection'));
        });
        socket.onmessage = ({ data }) => { for (const item of JSON.parse(data).items ?? []) this.take(item); };
        const who = this.token ? { token: this.token } : { name: NAME };
        const cursors = [...this.cursors.values()];
        const hello = { version: 1, frontEnd: 'sample', session: this.session, cursors, ...who };
        const { welcome } = await this.ask('hello', hello);
        this.token = welcome.token ?? '';
        this.session = welcome.session ?? '';
        return welcome;
    }

    /** Sends a request and waits for its answer. A change has a key: sent again with it, it still happens once. */
    ask(kind, body, key) {
        const id = ++this.lastID;
        this.socket.send(JSON.stringify({ id, key, [kind]: body }));
        return new Promise((resolve, reject) => { this.waiters.set(id, { resolve, reject }); });
    }

    /** Keeps the view: snapshots, then numbered events. */
    take({ reply, snapshot, event }) {
        if (reply) {
            const { resolve, reject } = this.waiters.get(reply.id) ?? {};
            this.waiters.delete(reply.id);
            if (reply.refusal) reject?.(new Error(`${reply.refusal.code}: ${reply.refusal.message}`));
            else resolve?.(reply);
        } else if (snapshot) {
            if (snapshot.last) this.cursors.set(snapshot.cursor.topic, snapshot.cursor);
            for (const thing of snapshot.instances ?? []) this.things.set(thing.id, thing);
        } else if (event) {
            const cursor = this.cursors.get(event.topic);
            if (cursor) cursor.sequence = event.sequence;
            if (event.entered) this.things.set(event.entered.instance.id, event.entered.instance);
            if (event.left) this.things.delete(event.left.instance);
        }
    }
}

const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');

for (const [enu, device] of VECTORS) {
    for (const [found, wanted] of [[toDevice(enu), device], [fromDevice(device), enu]]) {
        const far = found.flat().some((number, index) => Math.abs(number - wanted.flat()[index]) > 1e-12);
        if (far) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
    }
}

const session = new Session();
console.log('welcome,', (await session.connect()).name ?? 'guest');
console.log('in cell', (await session.ask('position', HERE)).positioned.cell);

const pose = { geopose: { position: HERE, quaternion: { x: 0, y: 0, z: 0, w: 1 } } };
const first = key();
const { placed: { instance: heart } } = await session.ask('place', { object: 'preset:heart', pose }, first);
console.log('placed', heart.id);
const target = { instance: heart.id, cell: heart.cell };
const { reactionSet } = await session.ask('react', { ...target, reaction: 'like' }, key());
console.log('reacted', reactionSet.reactions);

// The link breaks. The same request with the same key gives the first answer again and places nothing.
// (To close it would say that we are leaving, and end the session: the old socket is just not heard any more.)
session.socket.onmessage = null;
console.log('resumed', (await session.connect()).resumed ?? false);
await session.ask('position', HERE);
const { placed: { instance: again } } = await session.ask('place', { object: 'preset:heart', pose }, first);
if (again.id !== heart.id) throw new Error('it was placed twice');
await session.ask('remove', target, key());
console.log('removed', heart.id);
session.socket.close();
