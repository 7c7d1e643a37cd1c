// Shows the privacy policy in the first of the browser's languages that there is.

const languages = navigator.languages.slice(0, 8).map(encodeURIComponent).join(",") || "en";
const policy = await (await fetch(`/privacy/policy/${languages}`)).json();

document.documentElement.lang = policy.language;
document.title = policy.title;
document.getElementById("title").textContent = policy.title;
const place = document.getElementById("text");
for (const paragraph of policy.text.split(/\n\s*\n/)) {
  const isHeading = paragraph.startsWith("# ");
  const element = document.createElement(isHeading ? "h2" : "p");
  element.textContent = isHeading ? paragraph.slice(2) : paragraph;
  place.append(element);
}
