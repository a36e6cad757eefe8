/** What must stand nowhere, and every way in which it could be written there. Knows nothing of the app, so that it repeats none of its faults. */

export interface Canary {
  name: string;
  value: Buffer;
}

/** What somebody could get hold of. */
export interface Evidence {
  /** What kind of thing it is, such as `log`. */
  kind: string;
  /** Which one. */
  place: string;
  bytes: Buffer;
}

/** A part of this length is found, too, so that a secret that is cut short does not pass. In bytes; no secret is shorter than 4. */
const PART = 12;

interface Needle {
  name: string;
  form: string;
  bytes: Buffer;
}

/** Each canary that stands in the evidence, with its place and form, once each. */
export function hits(canaries: readonly Canary[], evidence: readonly Evidence[]): string[] {
  const find = finderOf(
    canaries.flatMap(({ name, value }) =>
      partsOf(value).flatMap((part) =>
        spellings(part).map(({ form, text }) => ({ name, form, bytes: Buffer.from(text, "latin1") })),
      ),
    ),
  );
  const found = new Set<string>();
  for (const { kind, place, bytes } of evidence)
    for (const { reading, text } of readings(bytes.toString("latin1")))
      for (const { name, form } of find(Buffer.from(text, "latin1")))
        found.add(`${name} in ${kind} (${place}): ${form}${reading}`);
  return [...found];
}

/**
 * Looks for thousands of needles in one go over megabytes: by their first four bytes, of which a small table says that most stand for none.
 */
function finderOf(needles: readonly Needle[]): (hay: Buffer) => Set<Needle> {
  const byHead = new Map<number, Needle[]>();
  const may = new Uint8Array(1 << 16);
  const short = (head: number) => (Math.imul(head, 0x9e3779b1) >>> 16) & 0xffff;
  for (const needle of needles) {
    const head = needle.bytes.readUInt32BE(0);
    byHead.set(head, [...(byHead.get(head) ?? []), needle]);
    may[short(head)] = 1;
  }
  return (hay) => {
    const found = new Set<Needle>();
    let head = 0;
    for (let at = 0; at < hay.length; at += 1) {
      head = ((head << 8) | hay[at]!) >>> 0;
      if (may[short(head)] === 0 || at < 3) continue;
      for (const needle of byHead.get(head) ?? []) {
        const from = at - 3;
        if (
          hay.compare(needle.bytes, 0, needle.bytes.length, from, Math.min(hay.length, from + needle.bytes.length)) ===
          0
        )
          found.add(needle);
      }
    }
    return found;
  };
}

/** The kinds of evidence in which something was found. */
export function kindsOf(found: readonly string[]): string[] {
  return [...new Set(found.map((hit) => /^.* in ([\w ]+) \(/.exec(hit)![1]!))].sort();
}

function partsOf(value: Buffer): Buffer[] {
  if (value.length <= PART) return [value];
  const middle = Math.floor((value.length - PART) / 2);
  return [0, middle, value.length - PART].map((from) => value.subarray(from, from + PART));
}

/** As bytes, read as Latin-1. */
function spellings(part: Buffer): { form: string; text: string }[] {
  const wide = Buffer.from(part.toString("utf8"), "utf16le").toString("latin1");
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), part]).toString("base64");
    // What does not depend on the neighbours.
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + part.length) * 8) / 6));
    const form = `base64, ${before} before`;
    return [
      { form, text: core },
      { form, text: core.replaceAll("+", "-").replaceAll("/", "_") },
    ];
  });
  return [
    { form: "as it is", text: part.toString("latin1") },
    { form: "UTF-16", text: wide },
    { form: "hex", text: part.toString("hex") },
    { form: "hex", text: part.toString("hex").toUpperCase() },
    ...base64,
  ];
}

/** A text as it is, and with what was percent-encoded, escaped as in JSON or as in HTML undone, as often as there is something to undo. */
function readings(text: string): { reading: string; text: string }[] {
  const all = [{ reading: "", text }];
  for (const [reading, undo] of [
    [", percent-encoded", unpercent],
    [", escaped in JSON", unescape],
    [", escaped in HTML", unentity],
  ] as const) {
    let before = text;
    for (let times = 0; times < 4; times += 1) {
      const after = undo(before);
      if (after === before) break;
      all.push({ reading, text: after });
      before = after;
    }
  }
  return all;
}

const unpercent = (text: string) =>
  text.replace(/%([0-9a-f]{2})|(?<=[^\s%]{8})\+/gi, (_all, hex?: string) =>
    hex === undefined ? " " : String.fromCharCode(parseInt(hex, 16)),
  );

const SHORT: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
]);

const unescape = (text: string) =>
  text.replace(/((?:\\u[0-9a-f]{4})+)|\\(.)/gi, (_all, units?: string, short?: string) =>
    units === undefined
      ? (SHORT.get(short!) ?? short!)
      : latin1(units.replace(/\\u(....)/gi, (_one, hex: string) => String.fromCharCode(parseInt(hex, 16)))),
  );

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

const unentity = (text: string) =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (all, hex?: string, code?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name.toLowerCase())!;
      const point = hex === undefined ? Number(code) : parseInt(hex, 16);
      return point <= 0x10ffff ? latin1(String.fromCodePoint(point)) : all;
    },
  );

/** Characters as the bytes that they have in UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
