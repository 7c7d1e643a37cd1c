// Tours, for the register: their place, own purchases, and what a run adds to map, Realm and list.

import { tell } from "../core/app.js";
import { go, route } from "../core/router.js";
import { local } from "../core/storage.js";
import { later, opener } from "../components/later.js";
import { company } from "./company.js";
import { followGroup } from "./group.js";
import { checkDrawn, undraw } from "./drawn.js";
import { followRuns, run } from "./run.js";

/** Where tours begin, as soon as the part of the page that asks for them is loaded. */
let beginnings = () => /** @type {import("../core/view.js").Item[]} */ ([]);

async function load() {
  const [{ followTours, showTours }, begin] = await Promise.all([import("./tours.js"), import("./beginnings.js")]);
  followTours();
  begin.followBeginnings();
  ({ beginnings } = begin);
  return showTours;
}

const forget = later(async () => (await import("./drafts.js")).forgetDrafts);
const settle = later(async () => (await import("./drafts.js")).settleDraft);
const settlePayment = later(async () => (await import("./bought.js")).settlePayment);
const openCompany = opener(async () => (await import("./details.js")).openCompany);
/** A way with its two ends. */
const ICON = "M6 20a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM18 9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8.500 17.500H15a3.500 3.500 0 0 0 0-7H9.500a3.500 3.500 0 0 1 0-4H15";
/** Changes of a draft that are entered as its parts. */
const PARTS = new Set(["createTour", "setTourFacts", "setTourStop", "setTourPopup"]);

/** @type {import("../core/extensions.js").Feature} */
export const tours = {
  name: "tours",
  place: {
    name: "tours", rank: 3, key: "3", load, beside: () => (route().rest[0] === "edit" ? "map" : ""),
    icon: ICON,
  },
  sections: { purchases: {
    rank: 45, who: "person", load: async () => (await import("./purchases.js")).purchasesPage,
  } },
  bar: async () => run !== null && (await import("./bar.js")).bar(),
  items: () => [...company(), ...beginnings()],
  kinds: {
    tour: {
      open: ({ instance }) => go("tours", instance.id), isAfar: true, sight: 600, drawing: () => "tour",
      lift: () => 2.1, stance: "facing",
    },
    stop: {
      open: openCompany, sight: 600, drawing: ({ instance }) => instance.object, stance: "posed",
      shape: ({ instance }) => instance.object, base: ({ instance }) => (instance.isTarget ? "target" : "ring"),
    },
    fellow: {
      open: openCompany, isSomebody: true, sign: ({ instance }) => (instance.isGuide ? "guide" : ""), lift: () => 0.35, stance: "eyes",
      shape: ({ instance }) => (instance.isGuide ? "guide" : "fellow"),
    },
  },
  drawings: { tour: { path: ICON } },
  layers: [{ name: "tours" }],
  shapes: async () => (await import("./shapes.js")).shapes,
  overlay: async () => (await import("./aim.js")).AimView,
  notices: {
    // What a notice of a tour is about is the tour. Whoever wants it switches it on (PRX-1).
    tour_nearby: { lead: ({ instance = "" }) => `#/tours/${instance}`, usual: "off", rank: 0 },
    tour_ended: { lead: "#/tours", usual: "on", rank: 40 },
    purchase_refunded: { lead: "#/profile/purchases", usual: "on", rank: 41 },
  },
  begun: { tour: later(async () => (await import("./preview.js")).goOnWalking) },
  remedies: { tour_in_progress: ["#/tours/run", "tours.continue"] },
  follow: (client) => {
    followRuns(client);
    followGroup(client);
    client.on("answered", (/** @type {any} */ one) => { if (one.kind === "buyTour") settlePayment(one); });
    followDrafts(client);
  },
  routed: checkDrawn,
  forget: undraw,
};

/**
 * Follows what becomes of the drafts on this device. A sign-out forgets those of the account that is signed out. Who is
 * signed out because their time is over finds them again, unless another tab has emptied the store before this one is
 * told why.
 * @param {any} client
 */
function followDrafts(client) {
  let account = "", isLapsed = false;
  for (const name of ["state", "welcomed"]) {
    client.on(name, () => { account = client.core.owner || account; });
  }
  client.on("signedOut", ({ code = "" }) => { isLapsed = code === "token_expired"; });
  client.on("emptied", () => {
    const whose = account;
    // A store in memory is emptied before it is told why.
    queueMicrotask(() => {
      if (!isLapsed && whose) forget(local, whose);
      isLapsed = false;
    });
  });
  client.on("answered", async (/** @type {any} */ { kind, key, result }) => {
    if (!result || !PARTS.has(kind)) return;
    const gone = await settle(local, client.core.owner, { kind, key, result });
    if (!gone) return;
    try {
      await client.request("removeTourPart", gone);
      tell("tourMended", gone.tour);
    } catch {
      // Somebody else was faster, or has changed it: then it is there, and the person decides anew.
    }
  });
}
