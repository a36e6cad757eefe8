import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressTemplate, TemplatePatch } from "../../../app/domain/records.ts";
import { valuesOfDraft, valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import type { Look } from "../readings.ts";

/** The oracle's memory of who said what in an account's templates. */

/** A write of ours that replaced what a person had said. */
export interface Overwrite {
  templateId: string;
  field: Field;
  /** As the service kept it, and so as anybody saw it. */
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

export interface Words {
  readonly overwrites: Overwrite[];
  /** What people changed by hand: `templateId field`, or a `templateId` they deleted. */
  readonly touched: Set<string>;
  /** `templateId field value` of what people said there, and of what was announced and then came. */
  readonly heard: ReadonlySet<string>;
  /** Words a person says in the app's own pages: a write that brings them writes that person's words. */
  announce(templateId: string, field: Field, value: string): void;
  /** A person says it in the service's own pages. */
  said(templateId: string, field: Field, words: { value: string; atMs: number }): void;
  /** The app writes to the template as it stands. */
  written(template: AddressTemplate, patch: TemplatePatch, at: Planned): void;
}

interface WordsOptions {
  /** A partial address empties the fields it does not name. */
  wipes: boolean;
  /** What the service keeps of a value. */
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
      // In the service's own spelling of them, too, they are that person's words.
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

  /** What a person said after our reading goes with the fields that our write did not name. What we had seen is put back by us. */
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
