/**
 * The marker: a short code in a template's alias, a hash of shop and location. It tells that a template is ours even after a reinstall, or
 * after a create whose answer was lost. It looks like ` [OR-7K2M9QXF]`.
 */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 8;
const MARKERS = new RegExp(`\\[OR-([${ALPHABET}]{${CODE_LENGTH}})\\]`, "g");

/** The marker of a location. It must stay the same for ever, because templates carry it in their aliases. */
export function markerOf(shop: string, locationId: string): string {
  let hash = mixed(`${shop}\n${locationId}`);
  let code = "";
  for (let place = 0; place < CODE_LENGTH; place += 1) {
    code += ALPHABET[Number(hash & 31n)];
    hash >>= 5n;
  }
  return code;
}

/** The marker of a location's template by now: of the one that it moved to, else its own. */
export function markerNow(
  { shop, locationId }: { shop: string; locationId: string },
  details: { marker: string | null } | null,
): string {
  return details?.marker ?? markerOf(shop, locationId);
}

/** The marker of the template to which a location is to move; each time another one. */
export function markerOfMove(shop: string, locationId: string, id: string): string {
  return markerOf(shop, `${locationId}\n${id}`);
}

/**
 * The alias of a location's template: the shop's pattern with `{name}` replaced, then the marker. Where the service keeps only `limit`
 * characters, the words are shortened and the marker stays whole.
 */
export function aliasWithMarker(pattern: string, name: string, marker: string, limit: number | null = null): string {
  const words = withoutMarker(pattern.replaceAll("{name}", name)) || withoutMarker(name);
  return fitted(words, `[OR-${marker}]`, limit);
}

/** Words and code within `limit` characters; a code that does not fit at all is cut off, as the service would cut it. */
function fitted(words: string, code: string, limit: number | null): string {
  const whole = `${words} ${code}`.trimStart();
  if (limit === null || [...whole].length <= limit) return whole;
  if (limit < code.length) return first(whole, limit);
  return `${first(words, limit - code.length - 1)} ${code}`.trimStart();
}

function first(text: string, count: number): string {
  return [...text].slice(0, Math.max(0, count)).join("").trimEnd();
}

/** To how many characters the service shortened `said`; null when `kept` is all of it or does not begin it. */
export function shortenedTo(said: string, kept: string): number | null {
  const beginning = kept
    .replace(/(?:\.{3}|…)$/, "")
    .trim()
    .toLowerCase();
  const whole = said.trim().toLowerCase();
  return beginning !== "" && beginning.length < whole.length && whole.startsWith(beginning) ? [...kept].length : null;
}

/** Whether an alias is a shortened form of another one, with the same marker. */
export function isShortFormOf(alias: string, whole: string): boolean {
  const marker = markerIn(whole);
  if (marker === null || marker !== markerIn(alias) || alias === whole) return false;
  return alias === aliasWithMarker("{name}", withoutMarker(whole), marker, [...alias].length);
}

/** The last marker an alias holds, or null. */
export function markerIn(alias: string): string | null {
  return [...alias.matchAll(MARKERS)].at(-1)?.[1] ?? null;
}

/** The alias as a person wrote it. Copies and templates made by hand must not carry a location's marker. */
export function withoutMarker(alias: string): string {
  return alias.replace(MARKERS, "").replace(/\s+/g, " ").trim();
}

/** An edited alias with the marker that the template had before, within the characters that the service keeps. */
export function keepingMarker(alias: string, before: string, limit: number | null = null): string {
  const marker = markerIn(before);
  return marker === null ? withoutMarker(alias) : fitted(withoutMarker(alias), `[OR-${marker}]`, limit);
}

/**
 * FNV-1a over 64 bits with a finishing mix, so that the low bits depend on the whole text. The marker is no secret, so it need not
 * withstand attacks.
 */
export function mixed(text: string): bigint {
  const bits = (value: bigint) => BigInt.asUintN(64, value);
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = bits((hash ^ BigInt(byte)) * 0x100000001b3n);
  hash = bits((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
  hash = bits((hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return hash ^ (hash >> 33n);
}
