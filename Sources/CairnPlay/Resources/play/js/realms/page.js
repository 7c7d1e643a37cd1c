// Sub-realms: making and changing them, members, invitations, joining open ones (SUB).

import { client, selected } from "../core/app.js";
import { fill, make } from "../core/page.js";
import { go, goIfStayed } from "../core/router.js";
import { t } from "../core/texts.js";
import { arriving, follow } from "../components/arriving.js";
import { action, once } from "../components/button.js";
import { section } from "../components/card.js";
import { confirmed } from "../components/dialog.js";
import { form } from "../components/form.js";
import { entry, list, person } from "../components/list.js";
import { refuse, toast } from "../components/message.js";
import { nameOnly } from "../components/nameonly.js";
import { anew } from "../components/showpage.js";
import { listRealms } from "./list.js";
import { forgetRealm, selectRealm } from "./selection.js";

/**
 * The page of sub-realms, or of one of them.
 * @param {string[]} rest
 */
export function realmsPage(rest) {
  return rest[0] ? realmPage(rest[0]) : overview();
}

function fields(/** @type {any} */ realm = {}) {
  return [
    { name: "name", label: t("field.realmName"), required: true, value: realm.name ?? "", most: 50 },
    { name: "description", label: t("field.description"), type: "area", value: realm.description ?? "" },
    { name: "open", label: t("realm.open"), type: "check", checked: Boolean(realm.open) },
    { name: "approval", label: t("realm.approval"), type: "check", checked: Boolean(realm.approval) },
  ];
}

function overview() {
  const lists = make("div", { class: "stack" });
  const found = make("div");
  const answer = (/** @type {any} */ realm, /** @type {boolean} */ accept) => async () => {
    await client.request("answerInvitation", { realm: realm.id, accept });
    await draw();
    return accept ? { words: t("joined", { name: realm.name }), lead: showing(realm) }
      : t("declined", { name: realm.name });
  };
  const withdraw = (/** @type {any} */ realm) => async () => {
    await client.request("leaveRealm", { realm: realm.id });
    await draw();
    return t("realm.withdrawn", { name: realm.name });
  };
  const draw = async () => {
    const realms = await listRealms();
    const of = (/** @type {string[]} */ ...standings) =>
      realms.filter((/** @type {any} */ one) => standings.includes(one.standing));
    anew(lists, () => fill(lists,
      of("invited").length > 0 && section(t("invitations"),
        list(of("invited").map((/** @type {any} */ realm) => realmEntry(realm,
          action(t("accept"), answer(realm, true), "accent"), action(t("decline"), answer(realm, false)))))),
      section(t("profile.realms"), list(of("owner", "member", "pending").map((/** @type {any} */ realm) =>
        realmEntry(realm, ...(realm.standing === "pending"
          ? [make("span", { class: "quiet" }, t("standing.pending")), action(t("withdraw"), withdraw(realm))]
          : [make("a", { class: "button", href: `#/profile/realms/${realm.id}` },
            t("members.n", { n: realm.members ?? 1 })),
          shows(realm, draw)]))), t("realms.none")))));
  };
  follow(["notified", "realmChanged"], lists, draw);
  return make("div", { class: "stack" }, nameOnly(),
    arriving(async () => { await draw(); return lists; }),
    section(t("realm.new"), make("p", { class: "quiet" }, t("realm.about")), form(fields(), t("realm.make"),
      async (values) => {
      const go = goIfStayed();
      const realm = await client.request("createRealm", values);
      go("profile", "realms", realm.id);
    })),
    section(t("realm.find"), form([{ name: "prefix", label: t("find.name"), required: true, most: 50 }], t("find"),
      async ({ prefix }) => {
      const { realms = [] } = await client.request("findRealms", { prefix: prefix.trim() });
      found.replaceChildren(list(realms.map((/** @type {any} */ realm) =>
        realmEntry(realm, once(t("join"), async () => {
          const { standing } = await client.request("joinRealm", { realm: realm.id });
          await draw();
          return standing === "pending" ? t("standing.pending")
            : { words: t("joined", { name: realm.name }), lead: showing(realm) };
        }, "accent")))));
      return realms.length > 0 ? t("find.found", { n: realms.length }) : t("find.none");
    }), found));
}

/**
 * Leads to a sub-realm: what is in it, on the map.
 * @param {any} realm
 */
function showing({ id, name }) {
  return { text: t("show.it"), run: async () => {
    const go = goIfStayed();
    try {
      await selectRealm(id, name);
      go("map");
    } catch (refusal) {
      refuse(refusal);
    }
  } };
}

/**
 * What shows a sub-realm from here on, and leads to the map; a word where it is shown already.
 * @param {any} realm
 * @param {() => Promise<any>} draw
 * @param {string} [kind] of the button
 */
function shows({ id, name }, draw, kind = "") {
  if (selected.id === id) return make("span", { class: "quiet" }, t("realm.shown"));
  return action(t("realm.show"), async () => {
    await selectRealm(id, name);
    await draw();
    return { words: `${t("realm.selected")}: ${name}`, lead: { text: t("show.it"), run: () => go("map") } };
  }, kind);
}

/**
 * @param {any} realm
 * @param {...(Node | false | null)} actions
 */
function realmEntry(realm, ...actions) {
  return entry({ title: realm.name, note: realm.description || undefined, data: { "data-realm": realm.id } },
    ...actions);
}

/**
 * One sub-realm: its members, and what one may do.
 * @param {string} id
 */
function realmPage(id) {
  // Each is drawn anew alone: what is typed in the form in the middle stays, and holds back nothing else.
  const who = make("div", { class: "stack" }), change = make("div"), end = make("div");
  /** @type {Map<string, string>} names of those who were invited here and have not come in yet, by their accounts */
  const invited = new Map();
  const draw = async () => {
    const go = goIfStayed();
    const realms = await listRealms();
    const realm = realms.find((/** @type {any} */ one) => one.id === id);
    // Of what one is not in, or not yet, the section says how it stands.
    if (!["owner", "member"].includes(realm?.standing)) {
      go("profile", "realms");
      return;
    }
    /** @type {any[]} */
    const [{ members = [], pending = [] }, { friends = [] }] = await Promise.all([
      client.request("listMembers", { realm: id }), client.request("listFriends")]);
    const isOwner = realm.standing === "owner";
    // Whom another adds waits for the owner, where the owner approves. Who is invited stays so, which no answer tells.
    const added = isOwner || !realm.approval ? "members.in" : "members.waits";
    const inside = new Set(members.map((/** @type {any} */ { user }) => user.account));
    const ofFriends = new Set(friends.map((/** @type {any} */ { account }) => account));
    /** Does it to somebody, draws who is in then, and says it. */
    const then = (/** @type {any} */ { account, name }, /** @type {string} */ kind, /** @type {string} */ done,
      more = {}) => async () => {
      await client.request(kind, { realm: id, account, ...more });
      await draw();
      return t(done, { name });
    };
    const outside = friends.filter((/** @type {any} */ { account }) => !inside.has(account));
    const leave = async (/** @type {string} */ kind, /** @type {string} */ question, /** @type {string} */ yes,
      /** @type {string} */ done) => {
      if (!(await confirmed(question, yes))) return;
      const go = goIfStayed();
      await client.request(kind, { realm: id });
      if (selected.id === id) forgetRealm();
      go("profile", "realms");
      toast(done);
    };
    for (const { account, name } of members.map((/** @type {any} */ { user }) => user)) {
      if (invited.delete(account)) toast(t("members.in", { name }), { isNews: true });
    }
    anew(who, () => who.replaceChildren(
      section(realm.name, realm.description && make("p", { dir: "auto" }, realm.description),
        make("div", { class: "row" }, shows(realm, draw, "accent"))),
      ...(pending.length > 0 ? [section(t("members.pending"),
        list(pending.map((/** @type {any} */ user) => person(user,
        action(t("approve"), then(user, "answerJoin", "members.in", { approve: true }), "accent"),
        action(t("refuse"), then(user, "answerJoin", "members.refused", { approve: false })))), ""))] : []),
      section(t("members"), list(members.map((/** @type {any} */ { user, owner }) => person(user,
        owner && make("span", { class: "quiet" }, t("standing.owner")),
        user.account !== client.welcome?.account && (isOwner || ofFriends.has(user.account))
          && action(t("remove"), async () => {
          const question = t("members.remove.ask", { name: user.name, realm: realm.name });
          if (!(await confirmed(question, t("remove")))) return null;
          return then(user, "removeMember", "members.out")();
        }, "quiet-danger"))), "")),
      section(t("members.add"), outside.length > 0 && make("p", { class: "quiet" }, t("members.add.about")),
        list(outside.map((/** @type {any} */ user) => person(user,
        invited.has(user.account) ? make("span", { class: "quiet done" }, t("invited", { name: user.name }))
          : once(t("invite"), async () => {
          await client.request("invite", { realm: id, account: user.account });
          invited.set(user.account, user.name);
          return t("invited", { name: user.name });
        }),
          action(t("members.add.now"), then(user, "addMember", added), "accent"))),
          t(friends.length > 0 ? "members.add.none" : "friends.none")))));
    change.hidden = !isOwner;
    const isInUse = change.querySelector("form[data-typed]") || change.contains(document.activeElement);
    if (!isOwner || !isInUse) {
      fill(change, isOwner && section(t("realm.change"), form(fields(realm), t("save"), async (values) => {
        await client.request("editRealm", { realm: id, ...values });
        await draw();
        return t("saved");
      })));
    }
    anew(end, () => end.replaceChildren(section(t("realm.end"), make("div", { class: "row" },
        action(t("realm.leave"), () => leave("leaveRealm", t("realm.leave.ask", { name: realm.name }),
          t("realm.leave"), t("realm.left", { name: realm.name })), "quiet-danger"),
        isOwner && action(t("realm.delete"), () => leave("deleteRealm", t("realm.delete.ask", { name: realm.name }),
          t("realm.delete"), t("notified.realm_deleted", { label: realm.name })), "danger")))));
  };
  follow(["realmChanged", "notified"], who, draw);
  return make("div", { class: "stack" }, nameOnly(), arriving(async () => {
    await draw();
    return make("div", { class: "stack" }, who, change, end);
  }));
}
