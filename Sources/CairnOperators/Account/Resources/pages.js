// What the pages for people share: their words in the language of the browser, and one request to the server.

/**
 * The words of the pages. `language` is that of the browser, if the server writes it; `written` are all that it writes;
 * `speak` shows the page in a language and returns its words.
 */
export async function words() {
  const languages = await (await fetch("/account/texts.json")).json();
  const spoken = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
  const language = spoken.find((tag) => languages[tag]) ?? "en";
  const speak = (language) => {
    const texts = languages[language];
    document.documentElement.lang = language;
    for (const place of document.querySelectorAll("[data-text]")) place.textContent = texts[place.dataset.text];
    document.title = document.querySelector("h1").textContent;
    return texts;
  };
  return { language, written: Object.keys(languages), speak };
}

/** Sends one request on a connection of its own; resolves to its reply. */
export function ask(body, language) {
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
