import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import type { Clock, Written } from "../../app/ports.ts";
import type { Entry, Journal } from "./journal.ts";
import { ask, type Outcome, type Service } from "./service.ts";

/** The templates that a run makes: invented words, a name of their own, deleted by their own id. */

/** Nobody's address: the words say so, and no carrier finds it. */
const ADDRESS = {
  name: "Prueba Origen",
  company: "Prueba",
  street1: "Calle de Prueba",
  street_number: "123",
  apartment_number: "4",
  area_level3: "Centro",
  postal_code: "06000",
  area_level2: "Cuauhtémoc",
  area_level1: "Ciudad de México",
  country_code: "MX",
  email: "prueba@example.com",
  phone: "5555550100",
  rfc: "XAXX010101000",
} as const;

/** Out of order, so that a list by name differs from one by age. */
const NUMBERS = ["50", "20", "80", "35", "65"];

export interface Made {
  name: string;
  /** What was sent. */
  draft: TemplateDraft;
  template: AddressTemplate;
  /** When the service had answered, on the monotonic clock. */
  atMs: number;
}

export interface Left {
  name: string;
  id: string | null;
}

export interface Scratch {
  /** Null where the service refused it or did not answer; `outcome` then tells. */
  make(change?: Partial<TemplateDraft["address_attributes"]>): Promise<{ made: Made | null; outcome: MakeOutcome }>;
  remove(made: Pick<Made, "name" | "template">): Promise<Outcome<Written<null>>>;
  /** Deletes whatever this account still has of this run and of earlier ones; gives what it could not delete. */
  clean(): Promise<Left[]>;
  counts(): { made: number; deleted: number };
}

export type MakeOutcome = Outcome<Written<AddressTemplate>>;

export interface ScratchOptions {
  service: Service;
  journal: Journal;
  clock: Clock;
  /** Of this run. */
  mark: string;
  /** How long a write may take to appear. */
  lateMs: number;
  signal?: AbortSignal | undefined;
}

const SYNC = { priority: "sync" } as const;
const LOOK_EVERY_MS = 2_000;
/** In a long book only its beginning and its end are looked through. */
const PAGES_AT_EACH_END = 5;

/** The name's beginning that is looked for; a service that keeps fewer characters of it has kept the reference. */
const LEAST = "ORIGEN-00000000".length;

export function createScratch(options: ScratchOptions): Scratch {
  const { service, journal, clock, mark, lateMs, signal } = options;
  const { client, caller } = service;
  const stoppable = { ...SYNC, ...(signal && { signal }) };
  let number = 0;
  let made = 0;
  let deleted = 0;

  function draftOf(name: string, change: Partial<TemplateDraft["address_attributes"]>): TemplateDraft {
    const address_attributes = { ...ADDRESS, reference: name, ...change };
    return { alias_name: `${name} prueba`, address_type: "from", default: false, address_attributes };
  }

  /** Throws what a call throws. */
  async function removeById(entry: { name: string; id: string }): Promise<Written<null>> {
    const options = { ...SYNC, beforeSend: async () => undefined, whenRead: async () => undefined };
    const end = await client.delete(caller, entry.id, options);
    if (end.kind === "written") {
      deleted += 1;
      journal.gone(entry.name);
    }
    return end;
  }

  /** Whether a template found in the list is the one that was announced: by its name, which nobody else can have. */
  function isIt(template: AddressTemplate, { name }: Entry): boolean {
    const alias = template.alias_name.toUpperCase();
    const byAlias = alias.length > LEAST && (alias.startsWith(name) || name.startsWith(alias.trim()));
    return byAlias || template.address.reference?.toUpperCase() === name;
  }

  /** False while something is left that may still appear. */
  async function cleanOnce(left: Map<string, Left>): Promise<boolean> {
    const rows = journal.open().some(({ id }) => id === null) ? await listEnds(service) : [];
    for (const entry of journal.open()) {
      const id = entry.id ?? rows.find((row) => isIt(row, entry))?.id ?? null;
      left.set(entry.name, { name: entry.name, id });
      if (id !== null) {
        journal.made(entry.name, id);
        const { value } = await ask(service, () => removeById({ name: entry.name, id }));
        if (value?.kind === "written") left.delete(entry.name);
      }
      // What the service does not show once the time is over that a write may take to appear is not there.
      const isOver = clock.nowMs() - entry.announcedAtMs > lateMs;
      if (left.has(entry.name) && isOver && (await isNowhere(entry, id))) {
        journal.gone(entry.name);
        left.delete(entry.name);
      }
    }
    return journal.open().length === 0;
  }

  async function isNowhere(entry: Entry, id: string | null): Promise<boolean> {
    if (id === null) return (await listEnds(service)).every((row) => !isIt(row, entry));
    const { value } = await ask(service, () => client.get(caller, id, SYNC));
    return value?.kind === "not_found";
  }

  return {
    async make(change = {}) {
      const name = `${mark}-${NUMBERS[number % NUMBERS.length]}${number < NUMBERS.length ? "" : number}`;
      number += 1;
      const draft = draftOf(name, change);
      const beforeSend = async () => journal.announce(name, clock.nowMs());
      const outcome = await ask(service, () => client.create(caller, draft, { ...stoppable, beforeSend }));
      const { value, error } = outcome;
      if (value?.kind === "written") {
        made += 1;
        journal.made(name, value.value.id);
        return { made: { name, draft, template: value.value, atMs: clock.monotonicMs() }, outcome };
      }
      if (value || error?.effect === "none") journal.gone(name);
      return { made: null, outcome };
    },
    remove: ({ name, template }) => ask(service, () => removeById({ name, id: template.id })),
    async clean() {
      const left = new Map<string, Left>();
      const untilMs = clock.monotonicMs() + lateMs + LOOK_EVERY_MS;
      while (journal.open().length > 0) {
        try {
          if (await cleanOnce(left)) break;
        } catch {
          // Refused credentials: nothing more can be done with them.
          for (const { name, id } of journal.open()) left.set(name, { name, id });
          break;
        }
        if (clock.monotonicMs() > untilMs) break;
        await clock.sleep(LOOK_EVERY_MS);
      }
      return [...left.values()];
    },
    counts: () => ({ made, deleted }),
  };
}

/** The templates on the first and the last pages; of a book that is not long, all of it. */
export async function listEnds(service: Service, signal?: AbortSignal): Promise<AddressTemplate[]> {
  const { client, caller } = service;
  const rows: AddressTemplate[] = [];
  let last = 1;
  for (let page = 1; page <= last; page += 1) {
    if (page === PAGES_AT_EACH_END + 1) page = Math.max(page, last - PAGES_AT_EACH_END + 1);
    const { value } = await ask(service, () => client.list(caller, { ...SYNC, ...(signal && { signal }), page }));
    if (!value) break;
    rows.push(...value.templates);
    last = value.totalPages;
  }
  return rows;
}
