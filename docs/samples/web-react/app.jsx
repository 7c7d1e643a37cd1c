// Everything that is drawn comes from one snapshot, which React reads by useSyncExternalStore: all components show the
// same moment, also while much arrives. A component that names a part of the snapshot is drawn when that part changes.
import React, { useEffect, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { CairnClient, liveStore, poseAt } from 'cairn-js';

const here = { lat: 47.3769, lon: 8.5417, h: 408 };
const place = document.getElementById('app');

// Outside of the components, so that there is one, however often they are made.
const client = new CairnClient({ url: place.dataset.server, profile: { name: `react-${Date.now() % 100_000}` } });
const store = liveStore(client);

/** A part of the state: the snapshot's parts stay the same objects until they change. */
function useCairn(part) { return useSyncExternalStore(store.subscribe, () => store.getSnapshot()[part]); }

function Link() {
  const state = useCairn('state');
  const count = useCairn('unansweredCount');
  return <p role="status">{state === 'live' ? 'Connected' : 'Not connected'}, {count} waiting</p>;
}

function Count({ id }) { return <strong id={id}>{useCairn('things').length}</strong>; }

function Things() {
  const things = useCairn('things');
  return <ul>{things.map((thing) => <Thing key={thing.id} thing={thing} />)}</ul>;
}

const Thing = React.memo(({ thing }) => (
  <li>
    {thing.text || thing.object}
    {' '}
    {thing.reactions.map(({ reaction, count }) => `${reaction} ${count}`).join(', ')}
    <button type="button" onClick={() => client.react(thing, 'like').catch(console.error)}>Like</button>
  </li>
));

function App() {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    client.move(here);
    client.connect().catch((error) => setProblem(error.message));
    return () => client.disconnect();
  }, []);
  const leave = () => client.place('preset:heart', poseAt(here), { text: 'from React' })
    .catch((error) => setProblem(error.message));
  return (
    <main>
      <h1>What is here: <Count id="above" /></h1>
      <Link />
      <button type="button" onClick={leave}>Leave a heart</button>
      <p role="alert">{problem}</p>
      <Things />
      <p><Count id="below" /> in all, {useCairn('people').length} people</p>
    </main>
  );
}

createRoot(place).render(<App />);
