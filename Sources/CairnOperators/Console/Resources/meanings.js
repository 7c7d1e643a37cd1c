// What the words on the console mean, where they stand.

import { make } from "./page.js";
import { sentence } from "./words.js";

/** Words and what they mean, behind one line that a keyboard, a finger and a screen reader open alike. */
export function meanings(pairs) {
  return make("details", { class: "meanings" }, make("summary", {}, "What these words mean"),
    make("dl", {}, ...pairs.flatMap(([word, meaning]) => [make("dt", {}, word), make("dd", {}, meaning)])));
}

const turn = ["Turn", "One change or question that a cell takes: it takes one after the other."];

/** The columns of cells, as the server describes them. */
export function columnMeanings(columns) {
  return [
    ...columns.slice(1).map(({ title, meaning }) => [title, sentence(meaning)]), turn,
    ["Awake", "In memory, because somebody is near. A cell that sleeps is on disk, with all that lies in it."],
    ["S2 level", "The size of a cell: 0 is a sixth of the earth, and one level more is half as wide."],
  ];
}

export const totalMeanings = [
  ["People", "Those who are connected, or were a moment ago, and have a position; of a demo its walkers too. How many "
    + "have an account is another number: most of them are not here now."],
  ["Signed in, guests", "Connections with an account, and without one."],
  ["Behind", "Connections that read slower than the server sends."],
  ["Cut", "People whose link is gone; they are waited for."],
  ["Messages out", "What the server sends; several events may come in one message."],
  ["Events", "Numbered changes of the world that cells tell to those who look: something is new, other or gone."],
  ["Refusals", "Requests that were answered with a no. The card of refusals says why."],
  ["Not on disk yet", "Changes that were made and wait for the disk. Nobody is told that a change is done before it "
    + "is there."],
];

export const diskMeanings = [
  ["Change", "Something that has to outlast a restart: a thing, an account, a setting."],
  ["Commit", "One write to the disk, of all changes that waited for it."],
  ["Write-ahead log", "What was written last, before it is put in its place in the database; the larger, the longer a "
    + "start after a crash takes."],
  ["Index", "What finds rows quickly. A damaged one is made anew from its table; nothing is lost."],
];

export const serviceMeanings = [
  ["Adaptor", "A program of yours beside the server, which sends mails or pushes, or asks the payment provider."],
  ["Calls waiting", "Questions to adaptors that have no answer yet."],
  ["Passwords waiting", "Sign-ins whose password is to be compared: that is slow on purpose."],
];

export const requestMeanings = [
  ["Hello", "The first message of every connection: who it is, and with which version."],
  ["Asked, of these refused", "All requests of a kind since the start; those that were answered with a no are among "
    + "them."],
  ["Half within, 99 of 100", "How long the answer took, from receipt to reply: for half of them, and for all but the "
    + "slowest hundredth."],
];

export const processMeanings = [
  ["Loop", "A thread that serves a share of the connections and of the cells."],
  ["Busy", "The share of the last second in which it had a processor."],
  ["Late by, ever", "How long its work waited for it in the last second, and at most since the start."],
  ["Clients", "Connections by the program that they say they are."],
];
