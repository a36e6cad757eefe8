import { canonicalAddress } from "../../../app/domain/address/compare.ts";
import { markerIn } from "../../../app/domain/marker.ts";
import type { AddressTemplate, TemplateDraft, TemplatePatch } from "../../../app/domain/records.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import { createBook } from "./book.ts";
import { createEmptied } from "./emptied.ts";
import type { Emptied } from "./emptied.ts";
import { createOrder, createReadings } from "../readings.ts";
import type { Habits } from "./habits.ts";
import { copyOf, createKeeping } from "./keeping.ts";
import type { Look, Readings } from "../readings.ts";
import { createWords } from "./words.ts";
import type { Overwrite, Planned } from "./words.ts";

export type { Overwrite, Planned };

/** One account of the service: its address book, and the oracle's memory of who said what. */
export interface FakeAccount {
  readonly templates: ReadonlyMap<string, AddressTemplate>;
  /** The `canonicalAddress` for which a carrier's answer is, by `templateId carrier`; several where nobody can tell which. */
  readonly askedFor: ReadonlyMap<string, readonly string[]>;
  /** By template, what updates emptied without naming it and nobody has filled in since. */
  readonly emptied: Emptied["of"];
  /** When a template was last made, deleted or changed, its carriers' entries aside. */
  changedAtMs(templateId: string): number;
  /** For worlds that last: what the book was before is needed by no list that lags. */
  forgetBefore(atMs: number): void;
  /** By template, the marker of the location that it was made for, whatever its alias is by now. */
  readonly madeFor: ReadonlyMap<string, string>;
  /** By template, the alias that it was made with, as the service kept it. */
  readonly madeAs: ReadonlyMap<string, string>;
  readonly overwrites: Overwrite[];
  /** What people changed by hand: `templateId field`, or a `templateId` they deleted. */
  readonly touched: ReadonlySet<string>;
  /** `templateId field value` of values that were announced and then written. */
  readonly heard: ReadonlySet<string>;
  /** Announces a value that a person typed into the app's own pages: a write of this value is that person's. */
  announce(templateId: string, field: Field, value: string): void;
  /** The book as it was `behindMs` ago. */
  list(
    page: number,
    perPage: number,
    look: Look,
    behindMs?: number,
  ): { templates: AddressTemplate[]; totalCount: number; totalPages: number };
  /** The template as it was `behindMs` ago. */
  get(templateId: string, look: Look, behindMs?: number): AddressTemplate | null;
  /** Whether the service shows the template. It does not count as a reading. */
  has(templateId: string): boolean;
  create(draft: TemplateDraft, id?: string): AddressTemplate;
  update(templateId: string, patch: TemplatePatch, at: Planned): AddressTemplate | null;
  delete(templateId: string): boolean;
  /** `told`: whether the service's own answer says that it asked. */
  verify(templateId: string, carriers: string[], told?: boolean): AddressTemplate | null;
  setVerdict(templateId: string, carrier: string, status: string): void;
  readonly readings: Readings;
  /** While a template is hidden the service answers that it does not exist; a deletion still finds it. */
  hide(templateId: string, hidden: boolean): void;
  byPerson: {
    edit(templateId: string, field: Field, value: string, atMs: number): void;
    remove(templateId: string): void;
    add(draft: TemplateDraft): AddressTemplate;
  };
  /** How many templates were made for a location beyond its first, without those that their owner gave to another location. */
  duplicates(given?: ReadonlySet<string>): number;
}

interface FakeAccountOptions {
  habits: Habits;
  newId: () => string;
  /** The time, for lists and GETs that lag; it stands still when absent. */
  nowMs?: () => number;
  /** Whether its answers leave out what the carriers say now. */
  hidesWords?: () => boolean;
}

/** How old the reading may be with which a question's answer is compared. */
const CROSSED_MS = 61_000;
const ASKED = "pending_to_send";

export function createFakeAccount({ habits, newId, ...options }: FakeAccountOptions): FakeAccount {
  const { nowMs = () => 0, hidesWords = () => false } = options;
  const book = createBook(nowMs);
  const { templates } = book;
  const madeFor = new Map<string, string>();
  const madeAs = new Map<string, string>();
  const readings = createReadings();
  let verifications = 0;
  const askedFor = new Map<string, string[]>();
  const verdictAtMs = new Map<string, number>();

  const { kept, apply, blank } = createKeeping(habits);
  const inOrder = createOrder();
  const hidden = new Set<string>();
  const shown = (templateId: string) => (hidden.has(templateId) ? null : (templates.get(templateId) ?? null));
  const emptied = createEmptied();
  const words = createWords({ wipes: habits.wipes, kept });

  const account: FakeAccount = {
    templates,
    askedFor,
    emptied: emptied.of,
    changedAtMs: book.changedAtMs,
    forgetBefore: book.forgetBefore,
    madeFor,
    madeAs,
    readings,
    overwrites: words.overwrites,
    touched: words.touched,
    heard: words.heard,
    announce: words.announce,
    list(page, perPage, look, behindMs = 0) {
      const all = book.asOf(look.atMs - behindMs).filter(({ id }) => !hidden.has(id));
      if (habits.order === "newest") all.reverse();
      const shown = all.slice((page - 1) * perPage, page * perPage);
      const atMs = inOrder(look.atMs) - behindMs;
      for (const { id } of shown) readings.keep(id, { toldAtMs: look.atMs, ...look, atMs });
      return { templates: shown, totalCount: all.length, totalPages: Math.max(1, Math.ceil(all.length / perPage)) };
    },
    has: (templateId) => shown(templateId) !== null,
    get(templateId, look, behindMs = 0) {
      readings.keep(templateId, { toldAtMs: look.atMs, ...look, atMs: inOrder(look.atMs) - behindMs, behindMs });
      if (behindMs === 0 || hidden.has(templateId)) return shown(templateId);
      return book.asOf(look.atMs - behindMs).find(({ id }) => id === templateId) ?? null;
    },
    create(draft, id = newId()) {
      const template = apply(blank(id, draft.address_type), draft, false);
      const marker = markerIn(draft.alias_name);
      if (marker !== null) madeFor.set(id, marker);
      madeAs.set(id, template.alias_name);
      book.put(id, template);
      return template;
    },
    update(templateId, patch, at) {
      const template = shown(templateId);
      if (!template) return null;
      words.written(template, patch, { ...at, atMs: inOrder(at.atMs) });
      const after = apply(template, patch, habits.wipes);
      emptied.note(template, after, patch);
      book.put(templateId, after);
      // The answer shows the emptied fields, so the write that mends them is based on this reading.
      if (habits.wipes) readings.keep(templateId, { ...at, atMs: inOrder(at.atMs), toldAtMs: at.atMs });
      return after;
    },
    delete: (templateId) => book.remove(templateId),
    verify(templateId, carriers, told = true) {
      const template = shown(templateId);
      if (!template) return null;
      const after = copyOf(template);
      for (const carrier_name of carriers) {
        const entry = after.verified_carriers.find((each) => each.carrier_name === carrier_name);
        const begun = !habits.repeatsItself || entry === undefined;
        const key = `${templateId} ${carrier_name}`;
        const asked = canonicalAddress(template.address);
        // A verdict that came after the reading that the question's baseline is from, or that no answer shows. Nobody can tell for which address it is.
        const crossed = hidesWords() || nowMs() - (verdictAtMs.get(key) ?? -Infinity) < CROSSED_MS;
        // An entry without a verdict gets its verdict for the address of the last question. A question without an answer nobody knows of.
        if (told && (begun || entry.status === ASKED)) askedFor.set(key, [asked]);
        else if (!told || crossed) askedFor.set(key, [...(askedFor.get(key) ?? []), asked]);
        if (!begun) continue;
        after.verified_carriers = after.verified_carriers.filter((entry) => entry.carrier_name !== carrier_name);
        verifications += 1;
        after.verified_carriers.push({
          carrier_name,
          status: ASKED,
          update_state: null,
          verification_id: `v${verifications}`,
        });
      }
      book.put(templateId, after);
      return after;
    },
    setVerdict(templateId, carrier, status) {
      const template = templates.get(templateId);
      const after = template && copyOf(template);
      const entry = after?.verified_carriers.find(({ carrier_name }) => carrier_name === carrier);
      if (!after || !entry) return;
      entry.status = status;
      verdictAtMs.set(`${templateId} ${carrier}`, nowMs());
      book.put(templateId, after);
    },
    hide: (templateId, isHidden) => void (isHidden ? hidden.add(templateId) : hidden.delete(templateId)),
    byPerson: {
      edit(templateId, field, value, atMs) {
        const template = templates.get(templateId);
        if (!template) return;
        const patch = patchOf(field, value);
        const after = apply(template, patch, false);
        emptied.note(template, after, patch);
        book.put(templateId, after);
        words.said(templateId, field, { value, atMs: inOrder(atMs) });
      },
      remove(templateId) {
        book.remove(templateId);
        words.touched.add(templateId);
      },
      add: (draft) => account.create(draft),
    },
    duplicates(given = new Set()) {
      const counts = (templateId: string) => templates.has(templateId) && !given.has(templateId);
      const markers = [...madeFor].flatMap(([templateId, marker]) => (counts(templateId) ? [marker] : []));
      return markers.length - new Set(markers).size;
    },
  };
  return account;
}

function patchOf(field: Field, value: string): TemplatePatch {
  if (field === "alias_name") return { alias_name: value };
  return field === ("address_type" as Field) ? { address_type: value } : { address_attributes: { [field]: value } };
}
