// The account: password, email, providers, one-time codes with their QR code, devices (ACC-7 to ACC-9, ACC-13).

import { client } from "../core/app.js";
import { fill, make } from "../core/page.js";
import { moment, t } from "../core/texts.js";
import { arriving } from "../components/arriving.js";
import { action } from "../components/button.js";
import { card, section } from "../components/card.js";
import { form } from "../components/form.js";
import { entry, list } from "../components/list.js";
import { withProof } from "./proof.js";
import { ask, called, providers } from "./provider.js";

const NOW = () => ({ name: "password", label: t("field.password"), type: "password", required: true,
  complete: "current-password" });

/** Changing the password, or giving the account one, which can be changed then. */
export function passwordPage() {
  const box = make("div");
  const draw = async () => {
    const { hasPassword } = await client.request("getProfile");
    fill(box, hasPassword ? changing() : giving(draw));
  };
  return arriving(async () => { await draw(); return box; });
}

/**
 * Gives the account its first password.
 * @param {() => Promise<void>} draw shows what is then
 */
function giving(draw) {
  const proof = make("div");
  return card(make("p", {}, t("password.none")), proof, form([
    { name: "email", label: t("field.email"), type: "email", required: true, complete: "email" },
    { name: "password", label: t("field.newPassword"), type: "password", required: true, complete: "new-password",
      hint: t("field.password.hint") },
  ], t("save"), (values) => withProof(proof, async () => {
    await client.request("addPassword", values);
    await draw();
    return t("saved");
  })));
}

/** Gives it another one. */
function changing() {
  return card(form([
    { name: "current", label: t("field.password"), type: "password", required: true, complete: "current-password" },
    { name: "password", label: t("field.newPassword"), type: "password", required: true, complete: "new-password",
      hint: t("field.password.hint") },
  ], t("save"), async (values, element) => {
    await client.request("changePassword", values);
    element.reset();
    return t("password.changed");
  }));
}

/** What stands where a password is asked for and the account has none. */
function passwordFirst() {
  return card(make("p", {}, t("password.none"), " ", t("password.first")),
    make("p", {}, make("a", { class: "button accent", href: "#/profile/password" }, t("profile.password"))));
}

/** Changing the email. */
export function emailPage() {
  return arriving(async () => {
    const { email = "", emailVerified, pendingEmail = "", hasPassword } = await client.request("getProfile");
    if (!hasPassword) return passwordFirst();
    return card(
      email && make("p", {}, `${email}: ${t(emailVerified ? "email.proved" : "email.unproved")}`), pendingEmail
        && make("p", { class: "quiet" }, t("email.pending", { email: pendingEmail })),
      form([{ name: "email", label: t("field.email"), type: "email", required: true, complete: "email",
        value: pendingEmail || email }, NOW()], t("email.send"), async (values) => {
        await client.request("changeEmail", values);
        return t("email.sent");
      }));
  });
}

/** One-time codes: on with a QR code and a first code, off with a password and a code. */
export function codesPage() {
  const box = make("div", { class: "stack" });
  const draw = async () => {
    const { asksForCodes, recoveryCodes = 0, hasPassword } = await client.request("getProfile");
    if (!hasPassword) {
      box.replaceChildren(passwordFirst());
      return;
    }
    if (asksForCodes) {
      box.replaceChildren(section(t("codes.on"), make("p", {}, t("codes.left", { n: recoveryCodes })),
        form([NOW(), { name: "code", label: t("field.code"), required: true, complete: "one-time-code" }],
        t("codes.end"), async (values) => {
        await client.request("endCodes", values);
        await draw();
      }, { danger: true })));
      return;
    }
    box.replaceChildren(section(t("codes.off"), make("p", {}, t("codes.about")),
      form([NOW()], t("codes.begin"), async ({ password }) => {
      const { secret, svg } = await client.request("beginCodes", { password });
      box.replaceChildren(begun(password, secret, svg, draw));
    })));
  };
  return arriving(async () => { await draw(); return box; });
}

/**
 * @param {string} password
 * @param {string} secret
 * @param {string} svg
 * @param {() => Promise<void>} draw
 */
function begun(password, secret, svg, draw) {
  // The server's drawing becomes a picture: as an image it can neither run nor load anything.
  const picture = make("img", { class: "qr", alt: t("codes.qr"), src: `data:image/svg+xml;base64,${btoa(svg)}` });
  return section(t("codes.scan"), picture, make("p", {}, t("codes.secret"), " ",
    make("code", { class: "secret" }, secret.replace(/(.{4})/g, "$1 ").trim())),
    form([{ name: "code", label: t("field.code"), required: true, complete: "one-time-code" }], t("codes.confirm"),
      async ({ code }, element) => {
      const { codes = [] } = await client.request("confirmCodes", { password, code: code.trim() });
      element.replaceWith(make("div", { class: "stack" }, make("p", { role: "status" }, t("codes.recovery")),
        list(codes.map((/** @type {string} */ one) => make("code", {}, one)), "", { kind: "codes" }),
        action(t("codes.kept"), draw, "accent")));
    }));
}

/** Where the person is signed in. */
export function devicesPage() {
  const box = make("div", { class: "stack" }), answer = make("div");
  const draw = async () => {
    const { devices = [] } = await client.request("listDevices");
    if (devices.length === 0) {
      box.replaceChildren(make("p", { class: "quiet" }, t("devices.none")));
      return;
    }
    box.replaceChildren(
      list(devices.map((/** @type {any} */ device) => entry({
        title: device.name || t("device.unnamed"),
        note: [device.isThis ? t("device.this") : "", t("device.used", { time: moment(device.used) })].filter(Boolean)
          .join(" · "),
      }, !device.isThis && action(t("device.end"), async () => {
        await client.request("endDevice", { id: device.id });
        await draw();
        return t("saved");
      }, "quiet-danger", { place: answer })))),
      devices.length > 1 && action(t("device.others"),
        async () => {
          await client.request("endDevice", { others: true });
          await draw();
          return t("saved");
        }, "danger", { place: answer }) || "");
  };
  return arriving(async () => { await draw(); return make("div", { class: "stack" }, box, answer); });
}

/** Which providers sign in to the account; others are linked, these unlinked. */
export function providersPage() {
  const box = make("div", { class: "stack" }), proof = make("div");
  const draw = async () => {
    const [all, profile] = await Promise.all([providers(), client.request("getProfile")]);
    const linked = /** @type {string[]} */ (profile.providers ?? []);
    const names = [...new Set([...linked, ...all.map(({ name }) => name)])];
    fill(box, make("p", {}, t("provider.about")), proof, list(names.map((name) => {
      const known = all.find((one) => one.name === name);
      return entry({ title: called(name) },
        linked.includes(name)
          ? action(t("provider.unlink"), () => withProof(proof, async () => {
            await client.request("unlinkProvider", { provider: name });
            await draw();
          }), "quiet-danger")
          : known && action(t("provider.link"), () => withProof(proof, () => ask(known, async (idToken) => {
            await client.request("linkProvider", { provider: name, idToken });
            await draw();
          }))));
    })));
  };
  return arriving(async () => { await draw(); return box; });
}
