/**
 * Removes secrets from words that a service may repeat from our request. A secret may stand there as it is, percent- or form-encoded,
 * escaped as in JSON or HTML, in base64, or in several of these at once. Pure.
 */

/** A shorter secret may be part of ordinary words; removing it would garble the message. */
const SHORTEST_SECRET = 8;

const REDACTED = "[redacted]";

/** Nobody reads a longer message, and searching it takes time. */
const LONGEST_TEXT = 8_000;
/** The longest part of an encoded secret that a cut may leave. */
const LONGEST_REST = 4_000;

/** A function that cleans one text; of a long text it returns the beginning. Made anew for each problem. */
export function redactorOf(secrets: string[]): (text: string) => string {
  const patterns = secrets.filter((secret) => [...secret].length >= SHORTEST_SECRET).flatMap(patternsOf);
  const clean = (text: string) => patterns.reduce((said, pattern) => said.replace(pattern, REDACTED), text);
  return (text) => {
    if (text.length <= LONGEST_TEXT) return clean(text);
    const cut = clean(text.slice(0, LONGEST_TEXT));
    return cut.slice(0, Math.max(0, cut.length - LONGEST_REST));
  };
}

function patternsOf(secret: string): RegExp[] {
  const spelled = [...secret].map(charPattern).join("");
  const cores = new Set(spellingsIn(secret).flatMap(base64Cores));
  const twice = new Set([...cores].flatMap(base64Cores));
  return [new RegExp(spelled, "gu"), ...[...cores, ...twice].map((core) => new RegExp(base64Pattern(core), "gu"))];
}

/** How a secret may stand in what was then written in base64, such as a form, JSON, or the Basic header of RFC 6749. */
function spellingsIn(secret: string): string[] {
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, encodeURIComponent(secret.toWellFormed()), form, json])];
}

/** Backslashes before a character that was escaped once or several times. Every count is bounded, so that no text takes long. */
const ESCAPES = String.raw`\\{0,8}`;
/** A percent sign, which may itself be encoded several times. */
const PERCENT = "%(?:25){0,4}";

const NAMED = new Map(Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }));

/** The patterns of ASCII characters, each made once: most secrets consist of them. */
const ASCII = new Map<string, string>();

/** A pattern that matches every way of writing one character. */
function charPattern(char: string): string {
  const known = ASCII.get(char);
  if (known !== undefined) return known;
  const pattern = waysOf(char);
  if (char <= "~") ASCII.set(char, pattern);
  return pattern;
}

function waysOf(char: string): string {
  const bytes = [...new TextEncoder().encode(char)].map((byte) => `${PERCENT}${anyCase(hex(byte, 2))}`).join("");
  const units = [...Array(char.length).keys()]
    .map((at) => `${ESCAPES}u${anyCase(hex(char.charCodeAt(at), 4))}`)
    .join("");
  const code = char.codePointAt(0)!;
  const entities = [
    `#0{0,6}${code}`,
    `#[xX]0{0,6}${anyCase(hex(code, 0))}`,
    ...(NAMED.has(char) ? [NAMED.get(char)!] : []),
  ];
  const html = `&(?:amp;){0,4}(?:${entities.join("|")});`;
  const short = SHORT_ESCAPES.get(char);
  const ways = [
    `${ESCAPES}${quoted(char)}`,
    ...(short ? [String.raw`\\{1,8}${short}`] : []),
    ...(char === " " ? [String.raw`\+`, `${PERCENT}2[bB]`] : []),
    bytes,
    units,
    html,
  ];
  return `(?:${ways.join("|")})`;
}

const SHORT_ESCAPES = new Map(Object.entries({ "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" }));

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, "0");
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** The part of a text's base64 that does not depend on its neighbours, for each of the three offsets at which it may begin. */
function base64Cores(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from("\0".repeat(before) + text);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

/** Matches it in URL-safe base64 and percent-encoded, too. */
function base64Pattern(core: string): string {
  return [...core].map((char) => BASE64.get(char) ?? char).join("");
}

const BASE64 = new Map(Object.entries({ "+": `(?:[+\\-]|${PERCENT}2[bB])`, "/": `(?:\\\\{0,8}[/_]|${PERCENT}2[fF])` }));
