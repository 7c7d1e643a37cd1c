// An app in TypeScript, as strict as it can be, against the declarations of cairn.js. It is checked and not run.

import {
    CairnClient, IndexedStore, LocalPlane, MemoryStore, PROTOCOL, PositionTimer, Refusal, distanceMetres, liveStore,
    placeOf, poseAt, unityEUN, webXR,
} from 'cairn-js';
import type {
    ClientEvents, ClientOptions, ClientState, GeoPosition, Instance, LiveSnapshot, PresentPerson, Requests, Store,
    Welcome,
} from 'cairn-js';
import * as oneFile from 'cairn-js/cairn.js';

const options: ClientOptions = { url: 'https://example.org', profile: { name: 'ada', language: 'fr' } };
const store: Store = typeof indexedDB === 'undefined' ? new MemoryStore() : new IndexedStore('strict');
const client: CairnClient = new CairnClient({ ...options, store });
const here: GeoPosition = { lat: 47.3769, lon: 8.5417, h: 408 };

// Events, by their names.
const end: () => void = client.on('appeared', (thing) => told(thing.id, thing.text, thing.version.toFixed()));
client.on('changed', ({ instance, was }) => told(instance.reactions.map(({ count }) => count).join(), was.id));
client.on('presence', ({ joined }) => told(...joined.map(({ name }) => name)));
client.on('disconnected', ({ reason, after }) => told(reason, after?.toFixed() ?? 'for good'));
client.on('unsupported', (versions) => told(versions.server > versions.client ? 'update the app' : 'old server'));
client.on('kept', ({ isKept, waiting }) => told(String(isKept), waiting.toFixed()));
client.on('stopReached', ({ run }) => told(run?.tour ?? ''));
client.on('notice', ({ text }) => told(text));
const next: Promise<Welcome> = client.next('welcomed');
const state: ClientState = client.state;
type Names = keyof ClientEvents;
const name: Names = 'positionsShifted';
// @ts-expect-error There is no such event.
client.on('apeared', () => {});
// @ts-expect-error It has no such field.
client.on('appeared', (thing) => told(thing.colour));

// Requests, by their kinds.
async function requests(): Promise<void> {
    const welcome = await client.connect();
    told(welcome.name, welcome.limits?.viewRadius.toFixed() ?? '');
    const heart: Instance = await client.place('preset:heart', poseAt(here, 90), { text: 'hello' });
    const moved = await client.edit(heart, poseAt(here), { text: 'again' });
    const totals = await client.react(moved, 'like');
    told(totals[0]?.count.toFixed() ?? 'none');
    const { friends, sent } = await client.request('listFriends');
    told(sent.length.toFixed(), ...friends.map((friend) => friend.name));
    const { settings } = await client.request('getSettings');
    told(...settings.map(({ key, edited }) => `${key} ${new Date(edited).toISOString()}`));
    const body: Requests['place']['body'] = { object: 'preset:star', pose: poseAt(here) };
    told((await client.request('place', body, { key: 'mine' })).instance?.id ?? '');
    // @ts-expect-error There is no such request.
    await client.request('placed');
    // @ts-expect-error A place has no such field.
    await client.request('place', { objekt: 'preset:heart' });
    // @ts-expect-error A position has a height.
    await client.place('preset:heart', poseAt({ lat: 1, lon: 2 }));
    // @ts-expect-error Whether there is a pose has to be asked: a post has none.
    told(heart.pose.scale);
    await client.signIn({ login: 'ada', password: 'secret' });
    await client.remove(moved);
}

requests().catch((error: unknown) => {
    if (error instanceof Refusal) told(error.code, error.message, error.remedy, error.details['limit'] ?? '');
});

// The store of React, and what draws in 3D.
const live = liveStore(client, { radius: 100 });
const stop: () => void = live.subscribe(() => {
    const { things, people, account }: LiveSnapshot = live.getSnapshot();
    for (const thing of things) {
        const place = placeOf(thing);
        if (!place) continue;
        const { east, north } = new LocalPlane(here).metres(place);
        const [x, y, z] = webXR.position([east, north, place.h]);
        told(x.toFixed(), y.toFixed(), z.toFixed(), distanceMetres(here, place).toFixed());
    }
    const places = people.map((person: PresentPerson) => person.pose?.lat.toFixed(5) ?? 'somewhere');
    told(account?.name ?? 'nobody', ...places);
});
// @ts-expect-error A snapshot does not change.
live.getSnapshot().things = [];

// All of it is in the one file, too.
const other: CairnClient = new oneFile.CairnClient(options);
const timer = new PositionTimer(5);
told(String(PROTOCOL), String(timer.wait(performance.now())), unityEUN.position([1, 2, 3]).join(), other.state, state);
told(name, String(next), String(end), String(stop));

function told(...words: string[]): void { console.log(...words); }
