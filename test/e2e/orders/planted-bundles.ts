/** Bundles that reach for what an extension does not have, planted in the place of a built one. */

const draws = (body: string) => `shopify.extend("admin.order-details.block.render", async () => { ${body} });`;

/** What it does, the bundle, and what the page says of it. */
export const FORBIDDEN: [action: string, source: string, reason: string][] = [
  ["touches localStorage", draws("localStorage.setItem('a', '1');"), "localStorage is not available"],
  ["reads cookies", draws("document.cookie;"), "cookie is not available"],
  ["keeps a database", draws("indexedDB.open('a');"), "indexedDB is not available"],
  ["measures layout", draws("document.body.getBoundingClientRect();"), "getBoundingClientRect is not available"],
  [
    "measures what it drew",
    draws("const e = document.createElement('s-box'); document.body.append(e); e.offsetHeight;"),
    "offsetHeight is not available",
  ],
  [
    "draws an element of the page",
    draws("document.body.append(document.createElement('div'));"),
    "Element is not allowed: div",
  ],
  [
    "draws an element of another target",
    draws("document.body.append(document.createElement('s-admin-action'));"),
    "Element is not allowed",
  ],
  [
    "uses a slot that is not there",
    draws(
      "const b = document.createElement('s-admin-block'), t = document.createElement('s-text'); t.slot = 'footer'; b.append(t); document.body.append(b);",
    ),
    's-admin-block has no slot "footer"',
  ],
  ["throws later", draws("setTimeout(() => { throw new Error('later') });"), "later"],
];

/** Sets what no type gives an element, and says how much of the page it sees. */
export const OVERREACHING = draws(`
const text = document.createElement("s-text");
text.tone = "critical";
text.setAttribute("onclick", "alert(1)");
text.setAttribute("style", "color: red");
text.title = "not a property of s-text";
text.append("seen by " + (self.origin ?? "") + " " + typeof parent.postMessage + " " + document.querySelectorAll("h1").length);
document.body.append(text);
`);
