// What the features of the page give (features.js). Frame, views and other features look here for what they do not
// know, so that a feature is added without a change of theirs.

/** @typedef {import("./view.js").Item} Item */

/**
 * A place of the menu. `load` is called when it is first shown, or when the page has nothing else to do, and gives what
 * shows it. One on the stage is drawn in an element of its own, whose id is its name, others in `#page`.
 * @typedef {object} Place
 * @property {string} name in the address and in the texts (`place.NAME`)
 * @property {string} icon in the menu: a path on a field of 24
 * @property {number} rank in the menu: the lowest comes first
 * @property {string} key on the keyboard
 * @property {() => Promise<() => unknown>} load
 * @property {boolean} [isOnStage]
 * @property {() => void} [hide] the person has gone elsewhere
 * @property {() => string} [beside] the place of the stage that stands beside its page where there is room; "" = none
 */

/**
 * A section of the Profile. `load` is called with the place.
 * @typedef {object} Section
 * @property {number} rank in the menu of all sections: the lowest comes first
 * @property {"all" | "guest" | "person" | "provided" | "admin"} who may see it
 * @property {() => Promise<(rest: string[]) => Node>} load gives what makes it, of what follows in the address
 */

/**
 * A kind of items. `open` shows the details of one in the sheet. Sizes are 1 where nothing is said.
 * @typedef {object} Kind
 * @property {(item: Item, options: import("./picked.js").Options) => unknown} open
 * @property {(item: Item) => string} [title] in place of the name of its instance
 * @property {boolean} [isNamedAlone] its title says what it is, without the kind before it
 * @property {boolean} [isSomebody] listed with people
 * @property {boolean} [isAfar] may be further away than the view: where there is nothing else, nothing is around
 * @property {(item: Item) => string} [note] in the list, behind where it is
 * @property {(item: Item) => (() => Promise<any>) | null} [swipe] what swiping its line does
 * @property {(item: Item) => string} [drawing] on its marker (`core/glyphs.js`)
 * @property {(item: Item) => string} [sign] further classes of its marker
 * @property {(item: Item) => number} [size] of its marker and its words
 * @property {(item: Item) => string} [words] over it in the Realm, in place of its title
 * @property {(item: Item) => boolean} [isBare] has no words of its own
 * @property {number} [sight] metres up to which it carries words in the Realm
 * @property {(item: Item) => number} [lift] metres from its place up to its words
 * @property {(item: Item) => string} [shape] its shape in the Realm, by name
 * @property {"posed" | "upright" | "eyes" | "facing"} [stance] how the shape stands: as its pose says, on the ground
 *   and turned as its device, at the height of eyes, or on the ground and turned to the user
 * @property {(item: Item) => string} [base] a second shape on the ground below it
 */

/**
 * A small drawing: a path on a field of 24, filled where it is solid.
 * @typedef {{path: string, solid?: boolean}} Drawing
 */

/**
 * Makes the geometry of a shape; `count` gives the number of segments of a round part, of those of the near shape.
 * @typedef {(THREE: any, count: (near: number, least?: number) => number) => any} Maker
 */

/**
 * Draws a layer of the map, in the group that it has.
 * @typedef {(parts: {leaflet: any, map: any, group: any}) => void} Draw
 */

/**
 * A layer of the map, in a group of its own. `load` is called before the map is made, and gives what is called whenever
 * the map is drawn; a layer without it is drawn by its feature.
 * @typedef {{name: string, load?: () => Promise<Draw>}} Layer
 */

/**
 * What can be chosen in the sheet that adds something, above the objects.
 * @typedef {{text: string, glyph: string, run: () => void}} Addition
 */

/**
 * A part of the sheet behind the pill: what is shown, and how. Those of rank 0 share its first row.
 * @typedef {{rank: number, make: () => Node | false | undefined | Promise<Node | false | undefined>}} Shown
 */

/**
 * A tab of the list. `draw` makes what it shows. One that `needsAccount` is not there for guests.
 * @typedef {{name: string, needsAccount?: boolean, draw: (pick: (item: Item) => void) => Promise<Node | undefined>}} Tab
 */

/**
 * A kind of notifications: the address that one leads to, and whether a person gets it who has not chosen; nothing where
 * they cannot choose. The lowest rank comes first among the settings. Who switches a warning off proves who they are
 * (ACC-13).
 * @typedef {{lead?: string | ((one: any) => string), usual?: "on" | "off", rank?: number, isWarning?: boolean}} Notice
 */

/**
 * What stands over the stage in one line or two, and is out of the way: of those that have something to show the one of
 * the lowest rank. `draw` gives it, or false; it is asked again at these events of the page.
 * @typedef {{rank: number, events: string, draw: () => Node | false | Promise<Node | false>}} Banner
 */

/**
 * @typedef {object} Feature
 * @property {string} name that of its folder, whose texts it brings along (`texts/LANGUAGE.json`)
 * @property {Place} [place]
 * @property {Record<string, Section>} [sections] by their address
 * @property {Record<string, () => void>} [keys] of the keyboard
 * @property {{name: string, icon: string, run: () => void}} [button] in the middle of the menu; the icon by its name or path
 * @property {Record<string, Kind>} [kinds] of items, by name
 * @property {Record<string, Drawing>} [drawings] of objects and kinds, by name
 * @property {() => Item[]} [items] what it adds to what is around
 * @property {Layer[]} [layers] of the map
 * @property {() => Promise<Record<string, Maker>>} [shapes] of the Realm, by name
 * @property {() => Promise<new (scene: any, frame: HTMLElement) => {draw: () => void}>} [overlay] over the picture of
 *   the Realm; loaded with it
 * @property {() => Promise<Node | false>} [bar] what goes on wherever the person is, said above every place; asked for
 *   anew at the event `bar`
 * @property {(item: Item) => boolean} [aside] which items step back, because they are not of what is looked at
 * @property {(item: Item) => Node | false} [actions] below the details of an item
 * @property {Addition[]} [additions]
 * @property {Shown[]} [shown]
 * @property {Tab[]} [tabs] of the list
 * @property {Record<string, Notice>} [notices] kinds of notifications
 * @property {Record<string, [string, string]>} [remedies] address and text of what mends a refusal, by its code
 * @property {Record<string, (data: any) => Promise<void>>} [begun] goes on with what a guest has begun, by its name,
 *   when they have signed in (`core/begun.js`)
 * @property {Banner} [banner]
 * @property {() => boolean} [intercept] whether this window is not for the page
 * @property {(client: any) => void} [follow] the page begins
 * @property {(welcome: any) => unknown} [welcomed] the server has greeted; one after the other
 * @property {() => unknown} [routed] the person has come to an address
 * @property {() => unknown} [guest] the page is open, for a guest
 * @property {() => unknown} [unreachable] there is no network
 * @property {() => void} [forget] all of a person is gone from the page
 */

/** What has one owner for each key. */
const TABLES = /** @type {const} */ (["sections", "keys", "kinds", "drawings", "notices", "remedies", "begun"]);

/** @type {Feature[]} */
let features = [];
/** @type {Record<string, Record<string, any>>} */
let tables = {};

/**
 * Takes the features. What two of them claim is refused.
 * @param {Feature[]} all
 */
export function register(all) {
  features = all;
  tables = {};
  for (const name of TABLES) {
    tables[name] = {};
    for (const feature of all) {
      for (const [key, value] of Object.entries(feature[name] ?? {})) {
        if (Object.hasOwn(tables[name], key)) throw new Error(`${feature.name}: ${name}.${key} has an owner already`);
        tables[name][key] = value;
      }
    }
  }
}

/**
 * What features give under a name, in the order of the names of features; of lists all entries.
 * @template {keyof Feature} Name
 * @param {Name} name
 * @returns {NonNullable<Feature[Name]> extends (infer Entry)[] ? Entry[] : NonNullable<Feature[Name]>[]}
 */
export function given(name) {
  return /** @type {any} */ (features.flatMap((feature) => /** @type {any} */ (feature[name] ?? [])));
}

/**
 * What features give under a name and a key.
 * @template {typeof TABLES[number]} Name
 * @param {Name} name
 * @returns {NonNullable<Feature[Name]>}
 */
export function table(name) {
  return /** @type {any} */ (tables[name] ?? {});
}
