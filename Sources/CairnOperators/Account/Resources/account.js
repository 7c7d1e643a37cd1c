// Sets a new password or proves an email, by the code behind the '#' of the address.

const [purpose, code] = location.hash.slice(1).split("=");
// The code works once, but nobody who looks at the screen or the history needs it.
history.replaceState(null, "", location.pathname);

const element = (id) => document.getElementById(id);
const [form, problem, result] = ["form", "problem", "result"].map(element);

const languages = await (await fetch("/account/texts.json")).json();
const spoken = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
const language = spoken.find((tag) => languages[tag]) ?? "en";
const texts = languages[language];
document.documentElement.lang = language;
document.title = texts.title;
for (const place of document.querySelectorAll("[data-text]")) place.textContent = texts[place.dataset.text];

/** Sends one request on a connection of its own; resolves to its reply. */
function ask(body) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/v1", "cairn.v1.json");
    const late = setTimeout(() => socket.close(), 20_000);
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, hello: { version: 1, frontEnd: "web", language } }));
    socket.onclose = () => { clearTimeout(late); reject(new Error("closed")); };
    socket.onmessage = (message) => {
      for (const { reply } of JSON.parse(message.data).items) {
        if (reply?.id === 1 && !reply.refusal) socket.send(JSON.stringify({ id: 2, ...body }));
        else if (reply) { resolve(reply); socket.close(); }
      }
    };
  });
}

/** What a refusal means for the person. */
function told({ code, details }) {
  switch (code) {
    case "weak_password": {
      const missing = details.missing.split(",").map((word) => texts[word]).join(", ");
      return texts.weak.replace("{missing}", missing);
    }
    case "reset_token_invalid": case "link_invalid": return texts.invalid;
    case "too_many_attempts": case "try_again": case "overloaded": return texts.wait;
    default: return texts.failed;
  }
}

async function setPassword(event) {
  event.preventDefault();
  problem.textContent = "";
  const password = element("password").value;
  if (password !== element("repeat").value) { problem.textContent = texts.different; return; }
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const { refusal } = await ask({ resetPassword: { code, password } });
    if (refusal) { problem.textContent = told(refusal); return; }
    form.hidden = true;
    result.textContent = texts.reset;
  } catch {
    problem.textContent = texts.failed;
  } finally {
    button.disabled = false;
  }
}

async function verify() {
  try {
    const { refusal } = await ask({ verifyEmail: { code } });
    result.textContent = refusal ? told(refusal) : texts.verified;
  } catch {
    result.textContent = texts.failed;
  }
}

if (purpose === "reset" && code) {
  form.hidden = false;
  form.addEventListener("submit", setPassword);
} else if (purpose === "verify" && code) {
  await verify();
} else {
  result.textContent = texts.nothing;
}
