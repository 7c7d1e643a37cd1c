// The account, for the register: signing in, what secures the account, and its end.

import { isSignedIn } from "../core/app.js";
import { later } from "../components/later.js";
import { cameBack } from "./answer.js";
import { followSignIn } from "./ways.js";

const signin = () => import("./signin.js");
const account = () => import("./account.js");
const privacy = () => import("./privacy.js");

/** @type {import("../core/extensions.js").Feature} */
const feature = {
  name: "account",
  sections: {
    signin: { rank: 1, who: "guest", load: async () => (await signin()).signInPage },
    signup: { rank: 2, who: "guest", load: async () => (await signin()).signUpPage },
    recover: { rank: 3, who: "guest", load: async () => (await signin()).recoverPage },
    password: { rank: 60, who: "person", load: async () => (await account()).passwordPage },
    email: { rank: 70, who: "person", load: async () => (await account()).emailPage },
    codes: { rank: 80, who: "person", load: async () => (await account()).codesPage },
    providers: { rank: 90, who: "provided", load: async () => (await account()).providersPage },
    devices: { rank: 100, who: "person", load: async () => (await account()).devicesPage },
    policy: { rank: 150, who: "all", load: async () => (await privacy()).policyPage },
    export: { rank: 160, who: "person", load: async () => (await privacy()).exportPage },
    delete: { rank: 170, who: "person", load: async () => (await privacy()).deletePage },
  },
  notices: {
    new_device: { lead: "#/profile/devices", usual: "on", isWarning: true, rank: 50 },
    sign_in_changed: { lead: "#/profile/devices", usual: "on", isWarning: true, rank: 51 },
  },
  remedies: { not_signed_in: ["#/profile/signin", "signIn"] },
  shown: [{ rank: 0.5, make: async () => !isSignedIn() && (await import("../components/entering.js")).entering() }],
  intercept: cameBack,
  follow: followSignIn,
  guest: later(async () => (await import("./hello.js")).greet),
};
export { feature as account };
