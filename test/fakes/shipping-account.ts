import { ADDRESS_FIELDS } from "../../app/domain/address.ts";
import { markerIn } from "../../app/domain/marker.ts";
import type { AddressTemplate, TemplateDraft, TemplatePatch } from "../../app/domain/records.ts";
import { valuesOfDraft, valuesOfTemplate } from "../../app/domain/three-way.ts";
import type { Field } from "../../app/domain/three-way.ts";
import { createReadings } from "./readings.ts";
import type { Look, Readings } from "./readings.ts";

/** What the service is like where the interface leaves it open. */
export interface Habits {
  /** A partial address empties the fields it does not name. */
  wipes: boolean;
  /** Text is trimmed and its runs of white space folded. */
  tidies: boolean;
  /** Carriers that do not verify. */
  refuses: string[];
  /** How it says so; its code unless a test says otherwise. */
  refusal?: { status: number; body: string };
}

/** A write of ours that replaced what a person had said. */
export interface Overwrite {
  templateId: string;
  field: Field;
  person: string | null;
  ours: string | null;
  /** When the person said it. */
  saidAtMs: number;
  /** When the reading that the write was planned on was taken; null when none preceded it. */
  readAtMs: number | null;
  /** Whose write it was, and when. */
  reader: string;
  atMs: number;
}

/** A write: whose, when, and of when the reading is that preceded it, as it was when the write was sent. */
export interface Planned extends Look {
  readAtMs: number | null;
}

/** One account of the service: its address book, and a judge's memory of who said what. */
export interface FakeAccount {
  readonly templates: ReadonlyMap<string, AddressTemplate>;
  readonly overwrites: Overwrite[];
  /** What people changed by hand: `templateId field`, or a `templateId` they deleted. */
  readonly touched: ReadonlySet<string>;
  /** `templateId field value` of what was announced and then came. */
  readonly heard: ReadonlySet<string>;
  /** Words a person says in the app's own pages: a write that brings them writes that person's words. */
  announce(templateId: string, field: Field, value: string): void;
  list(
    page: number,
    perPage: number,
    look: Look,
  ): { templates: AddressTemplate[]; totalCount: number; totalPages: number };
  get(templateId: string, look: Look): AddressTemplate | null;
  create(draft: TemplateDraft, id?: string): AddressTemplate;
  update(templateId: string, patch: TemplatePatch, at: Planned): AddressTemplate | null;
  delete(templateId: string): boolean;
  verify(templateId: string, carriers: string[]): AddressTemplate | null;
  settle(templateId: string, carrier: string, status: string): void;
  readonly readings: Readings;
  byPerson: {
    edit(templateId: string, field: Field, value: string, atMs: number): void;
    remove(templateId: string): void;
    add(draft: TemplateDraft): AddressTemplate;
  };
  /** Templates beyond the first with one marker. */
  duplicates(): number;
}

export function createFakeAccount({ habits, newId }: { habits: Habits; newId: () => string }): FakeAccount {
  const templates = new Map<string, AddressTemplate>();
  const readings = createReadings();
  const said = new Map<string, { value: string | null; atMs: number }>();
  const overwrites: Overwrite[] = [];
  const touched = new Set<string>();
  const announced = new Set<string>();
  const heard = new Set<string>();
  let verifications = 0;

  const kept = (value: string | null | undefined) =>
    habits.tidies && typeof value === "string" ? value.replace(/\s+/g, " ").trim() : (value ?? null);

  const apply = (template: AddressTemplate, patch: TemplatePatch, wipe: boolean): AddressTemplate => {
    const after = structuredClone(template);
    if (patch.alias_name !== undefined) after.alias_name = kept(patch.alias_name) ?? "";
    if (patch.default !== undefined) after.default = patch.default;
    if (patch.address_attributes) {
      for (const field of ADDRESS_FIELDS) {
        const value = patch.address_attributes[field];
        if (value !== undefined) after.address[field] = kept(value);
        else if (wipe) after.address[field] = null;
      }
    }
    return after;
  };

  const blank = (id: string, type: string): AddressTemplate => ({
    id,
    alias_name: "",
    address_type: type,
    default: false,
    address: Object.fromEntries(
      [...ADDRESS_FIELDS, "tax_id_number", "tax_id_type"].map((field) => [field, null]),
    ) as AddressTemplate["address"],
    verified_carriers: [],
  });

  const judge = (template: AddressTemplate, patch: TemplatePatch, at: Planned) => {
    const before = valuesOfTemplate(template);
    for (const [name, value] of Object.entries(valuesOfDraft(patch))) {
      const field = name as Field;
      const key = `${template.id} ${field}`;
      const person = said.get(key);
      if (person && (before[field] ?? "") !== (kept(value) ?? "") && (person.value ?? "") !== (value ?? "")) {
        overwrites.push({
          templateId: template.id,
          field,
          person: person.value,
          ours: value ?? null,
          saidAtMs: person.atMs,
          ...at,
        });
      }
      if (person && (person.value ?? "") !== (value ?? "")) said.delete(key);
    }
    if (habits.wipes && patch.address_attributes) judgeWiping(template, patch, at);
  };

  /** What a person said after our reading goes with the fields that our write did not name. What we had seen is put back by us. */
  const judgeWiping = (template: AddressTemplate, patch: TemplatePatch, at: Planned) => {
    for (const field of ADDRESS_FIELDS) {
      const key = `${template.id} ${field}`;
      const person = said.get(key);
      const seen = at.readAtMs !== null && person !== undefined && person.atMs <= at.readAtMs;
      if (!person || seen || patch.address_attributes![field] !== undefined) continue;
      overwrites.push({
        templateId: template.id,
        field,
        person: person.value,
        ours: null,
        saidAtMs: person.atMs,
        ...at,
      });
      said.delete(key);
    }
  };

  const hear = (before: AddressTemplate, patch: TemplatePatch, atMs: number) => {
    const stood = valuesOfTemplate(before);
    for (const [name, value] of Object.entries(valuesOfDraft(patch))) {
      const field = name as Field;
      const words = `${before.id} ${field} ${value}`;
      if (!announced.has(words)) continue;
      heard.add(words);
      if (stood[field] === value) continue;
      said.set(`${before.id} ${field}`, { value: value ?? null, atMs });
      touched.add(`${before.id} ${field}`);
    }
  };

  const account: FakeAccount = {
    templates,
    readings,
    overwrites,
    touched,
    heard,
    announce: (templateId, field, value) => void announced.add(`${templateId} ${field} ${value}`),
    list(page, perPage, look) {
      const all = [...templates.values()];
      const shown = all.slice((page - 1) * perPage, page * perPage);
      for (const { id } of shown) readings.keep(id, look);
      return { templates: shown, totalCount: all.length, totalPages: Math.max(1, Math.ceil(all.length / perPage)) };
    },
    get(templateId, look) {
      readings.keep(templateId, look);
      return templates.get(templateId) ?? null;
    },
    create(draft, id = newId()) {
      const template = apply(blank(id, draft.address_type), draft, false);
      templates.set(id, template);
      return template;
    },
    update(templateId, patch, at) {
      const template = templates.get(templateId);
      if (!template) return null;
      judge(template, patch, at);
      hear(template, patch, at.atMs);
      const after = apply(template, patch, habits.wipes);
      templates.set(templateId, after);
      // Its answer shows what was emptied: what mends it was planned on that.
      if (habits.wipes) readings.keep(templateId, at);
      return after;
    },
    delete: (templateId) => templates.delete(templateId),
    verify(templateId, carriers) {
      const template = templates.get(templateId);
      if (!template) return null;
      const after = structuredClone(template);
      for (const carrier_name of carriers) {
        after.verified_carriers = after.verified_carriers.filter((entry) => entry.carrier_name !== carrier_name);
        verifications += 1;
        after.verified_carriers.push({
          carrier_name,
          status: "pending_to_send",
          update_state: null,
          verification_id: `v${verifications}`,
        });
      }
      templates.set(templateId, after);
      return after;
    },
    settle(templateId, carrier, status) {
      const entry = templates.get(templateId)?.verified_carriers.find(({ carrier_name }) => carrier_name === carrier);
      if (entry) entry.status = status;
    },
    byPerson: {
      edit(templateId, field, value, atMs) {
        const template = templates.get(templateId);
        if (!template) return;
        const patch = field === "alias_name" ? { alias_name: value } : { address_attributes: { [field]: value } };
        templates.set(templateId, apply(template, patch, false));
        said.set(`${templateId} ${field}`, { value, atMs });
        touched.add(`${templateId} ${field}`);
      },
      remove(templateId) {
        templates.delete(templateId);
        touched.add(templateId);
      },
      add: (draft) => account.create(draft),
    },
    duplicates() {
      const markers = [...templates.values()]
        .map(({ alias_name }) => markerIn(alias_name))
        .filter((marker) => marker !== null);
      return markers.length - new Set(markers).size;
    },
  };
  return account;
}
