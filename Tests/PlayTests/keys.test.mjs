// What keys and a screen reader's voice have of the page: the way from marker to marker, and what is said on a tour.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.mjs';

const { stepped } = await page('map/roving.js');
const { ahead } = await page('realm/ahead.js');
const { AFTER_MS, QUIET_MS, isDue } = await page('tours/spoken.js');

test('arrow keys go from marker to marker and end at both ends', () => {
    assert.equal(stepped(0, 3, 'ArrowRight'), 1);
    assert.equal(stepped(1, 3, 'ArrowDown'), 2);
    assert.equal(stepped(2, 3, 'ArrowRight'), 2);
    assert.equal(stepped(2, 3, 'ArrowUp'), 1);
    assert.equal(stepped(0, 3, 'ArrowLeft'), 0);
    assert.equal(stepped(1, 3, 'Home'), 0);
    assert.equal(stepped(1, 3, 'End'), 2);
    assert.equal(stepped(1, 3, 'Enter'), null);
    assert.equal(stepped(1, 3, 'toString'), null);
    assert.equal(stepped(-1, 0, 'ArrowRight'), null);
});

const way = (metres, bearing, at, stop = 'one') => ({ stop, metres, bearing, at });

test('the way to a new stop is said once, a moment behind the arrival at the one before', () => {
    assert.equal(isDue(null, way(200, 0, 0), 0), false);
    assert.equal(isDue(null, way(200, 0, AFTER_MS), 0), true);
    const said = way(50, 90, 1000);
    assert.equal(isDue(said, way(203, 180, 2000, 'two'), 2000), false);
    assert.equal(isDue(said, way(203, 180, 2000 + AFTER_MS, 'two'), 2000), true);
});

test('the same stop is said again when distance or direction is another one, and not sooner than the pause', () => {
    const said = way(200, 350, 0);
    assert.equal(isDue(said, way(90, 350, QUIET_MS - 1), 0), false);
    assert.equal(isDue(said, way(90, 350, QUIET_MS), 0), true);
    assert.equal(isDue(said, way(320, 350, QUIET_MS), 0), true);
    assert.equal(isDue(said, way(150, 350, QUIET_MS), 0), false);
    assert.equal(isDue(said, way(200, 20, QUIET_MS), 0), false, 'across north, by 30 degrees');
    assert.equal(isDue(said, way(200, 40, QUIET_MS), 0), true, 'across north, by 50 degrees');
    // Who stands at the stop is not told each step.
    assert.equal(isDue(way(8, 0, 0), way(3, 180, QUIET_MS), 0), false);
});

test('what is ahead is the nearest within a narrow angle, also across north', () => {
    const spots = [{ name: 'left', bearing: 300, distance: 1 }, { name: 'near', bearing: 10, distance: 5 },
        { name: 'far', bearing: 355, distance: 9 }];
    assert.equal(ahead(spots, 0)?.name, 'near');
    assert.equal(ahead(spots, 332)?.name, 'far');
    assert.equal(ahead(spots, 280)?.name, 'left');
    assert.equal(ahead(spots, 180), undefined);
});
