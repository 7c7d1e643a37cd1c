// The features of the page, one line each. What they give is in `core/extensions.js`.

export { account } from "./account/feature.js";
export { admin } from "./admin/feature.js";
export { around } from "./around/feature.js";
export { help } from "./help/feature.js";
export { kept } from "./kept/feature.js";
export { map } from "./map/feature.js";
export { notifications } from "./notifications/feature.js";
export { organisation } from "./organisation/feature.js";
export { people } from "./people/feature.js";
export { posts } from "./posts/feature.js";
export { profile } from "./profile/feature.js";
export { realm } from "./realm/feature.js";
export { realms } from "./realms/feature.js";
export { settings } from "./settings/feature.js";
export { things } from "./things/feature.js";
export { tours } from "./tours/feature.js";
export { where } from "./where/feature.js";
