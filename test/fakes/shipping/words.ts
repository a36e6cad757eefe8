import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressTemplate, TemplatePatch } from "../../../app/domain/records.ts";
import { valuesOfDraft, valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import type { Look } from "../readings.ts";

/** The oracle's memory of who wrote which value in an account's templates. */

/** A write of ours that replaced a person's value. */
export interface Overwrite {
  templateId: string;
  field: Field;
  /** The value as the service stored it, and so as everybody could see it. */
  person: string | null;
  ours: string | null;
  /** When the person wrote it. */
  saidAtMs: number;
  /** When the reading was taken that the write is based on; null when there was none. */
  readAtMs: number | null;
  /** Whose write it was, and when. */
  reader: string;
  atMs: number;
}

/** A write: whose it is, when, and the time of the reading that it was based on when it was sent. */
export interface Planned extends Look {
  readAtMs: number | null;
}

export interface Words {
  readonly overwrites: Overwrite[];
  /** What people changed by hand: `templateId field`, or a `templateId` they deleted. */
  readonly touched: Set<string>;
  /** `templateId field value` of values that people wrote there, and of announced values that were then written. */
  readonly heard: ReadonlySet<string>;
  /** Announces a value that a person typed into the app's own pages: a write of this value is that person's. */
  announce(templateId: string, field: Field, value: string): void;
  /** A person writes a value in the service's own pages. */
  said(templateId: string, field: Field, words: { value: string; atMs: number }): void;
  /** The app writes to the template as it is. */
  written(template: AddressTemplate, patch: TemplatePatch, at: Planned): void;
}

interface WordsOptions {
  /** A partial address empties the fields that it does not name. */
  wipes: boolean;
  /** The value as the service stores it. */
  kept: (value: string | null | undefined, field: Field) => string | null;
}

export function createWords({ wipes, kept }: WordsOptions): Words {
  const said = new Map<string, { value: string | null; atMs: number }>();
  const overwrites: Overwrite[] = [];
  const touched = new Set<string>();
  const announced = new Set<string>();
  const heard = new Set<string>();

  const checkOverwritten = (template: AddressTemplate, patch: TemplatePatch, at: Planned) => {
    const before = valuesOfTemplate(template);
    for (const [name, value] of Object.entries(valuesOfDraft(patch))) {
      const field = name as Field;
      const key = `${template.id} ${field}`;
      const person = said.get(key);
      // A value in the service's own spelling is still that person's value.
      if (!person || (kept(person.value, field) ?? "") === (kept(value, field) ?? "")) continue;
      if ((before[field] ?? "") !== (kept(value, field) ?? "")) {
        const { value: words, atMs: saidAtMs } = person;
        const stood = kept(words, field);
        overwrites.push({ templateId: template.id, field, person: stood, ours: value ?? null, saidAtMs, ...at });
      }
      said.delete(key);
    }
    if (wipes && patch.address_attributes) checkWiping(template, patch, at);
  };

  /**
   * A write also removes a person's value, written after our reading, from fields that it does not name. A value that we had seen is put
   * back by us.
   */
  const checkWiping = (template: AddressTemplate, patch: TemplatePatch, at: Planned) => {
    for (const field of ADDRESS_FIELDS) {
      const key = `${template.id} ${field}`;
      const person = said.get(key);
      const seen = at.readAtMs !== null && person !== undefined && person.atMs <= at.readAtMs;
      if (!person || seen || patch.address_attributes![field] !== undefined) continue;
      const { value: words, atMs: saidAtMs } = person;
      overwrites.push({ templateId: template.id, field, person: kept(words, field), ours: null, saidAtMs, ...at });
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

  return {
    overwrites,
    touched,
    heard,
    announce: (templateId, field, value) => void announced.add(`${templateId} ${field} ${value}`),
    said(templateId, field, words) {
      heard.add(`${templateId} ${field} ${words.value}`);
      said.set(`${templateId} ${field}`, words);
      touched.add(`${templateId} ${field}`);
    },
    written(template, patch, at) {
      checkOverwritten(template, patch, at);
      hear(template, patch, at.atMs);
    },
  };
}
