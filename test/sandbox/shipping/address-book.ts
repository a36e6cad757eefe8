/** The accounts' templates, who changed them, and the duplicates among them. */
import type { Chance } from "./chance.ts";
import type { Behaviour } from "./options.ts";
import type { CarrierVerification, Verdict } from "./verification.ts";
import { askCarrier, toldVerdict } from "./verification.ts";
import type { TemplateContent, WriteLog, WriteSource } from "./write-log.ts";

export interface StoredTemplate extends TemplateContent {
  id: string;
  account: string;
  createdAtMs: number;
  updatedAtMs: number;
  verifications: CarrierVerification[];
  /** The payload it was created from, in one canonical form; null when a person made it. */
  createdFrom: string | null;
}

export interface Writer {
  source: WriteSource;
  account: string;
  client: string | null;
}

/** The fields of `address_template` as a request names them. */
export interface TemplateInput {
  alias_name?: unknown;
  address_type?: unknown;
  default?: unknown;
  address_attributes?: Record<string, unknown>;
}

export interface Duplicates {
  /** Creates by clients, each of which made a duplicate of either kind. */
  total: number;
  /** Creates whose payload equals, byte for byte in meaning, the one a template then alive was created from. */
  equalPayload: number;
  /** Creates and alias edits by clients that gave a marker which another template then alive already had. */
  sameMarker: number;
  /** Markers that more than one template has now, whoever made them. */
  alive: { account: string; marker: string; ids: string[] }[];
}

/** Writes by clients that took effect. */
export interface Effects {
  creates: number;
  updates: number;
  deletes: number;
}

export interface AddressBook {
  of(account: string): StoredTemplate[];
  all(): StoredTemplate[];
  find(account: string, id: string): StoredTemplate | undefined;
  create(writer: Writer, input: TemplateInput, address: Record<string, unknown>): StoredTemplate;
  update(
    writer: Writer,
    template: StoredTemplate,
    change: { input: TemplateInput; address: Record<string, unknown> | null },
  ): void;
  remove(writer: Writer, template: StoredTemplate): void;
  verify(writer: Writer, template: StoredTemplate, carriers: string[]): void;
  tell(template: StoredTemplate, verdict: Verdict): void;
  duplicates(): Duplicates;
  effects(): Effects;
  restore(templates: StoredTemplate[]): void;
}

export interface AddressBookParts {
  behaviour: Behaviour;
  chance: Chance;
  log: WriteLog;
  nowMs: () => number;
  markerPattern: RegExp | null;
  changed: () => void;
}

export function createAddressBook(parts: AddressBookParts): AddressBook {
  const { behaviour, chance, log, nowMs, changed } = parts;
  const accounts = new Map<string, Map<string, StoredTemplate>>();
  const duplicates = { total: 0, equalPayload: 0, sameMarker: 0 };
  const effects: Effects = { creates: 0, updates: 0, deletes: 0 };

  function book(account: string): Map<string, StoredTemplate> {
    let templates = accounts.get(account);
    if (!templates) accounts.set(account, (templates = new Map()));
    return templates;
  }

  function record(
    writer: Writer,
    operation: "create" | "update" | "delete" | "verify" | "verdict",
    detail: WriteDetail,
  ): void {
    log.append({ atMs: nowMs(), ...writer, operation, ...detail });
    changed();
  }

  function marker(alias: unknown): string | null {
    const found = typeof alias === "string" ? parts.markerPattern?.exec(alias) : null;
    return found ? (found[1] ?? found[0]) : null;
  }

  function sharesMarker(template: StoredTemplate): boolean {
    const own = marker(template.alias_name);
    if (own === null) return false;
    for (const other of book(template.account).values()) {
      if (other !== template && marker(other.alias_name) === own) return true;
    }
    return false;
  }

  function countCreate(template: StoredTemplate): void {
    let equal = false;
    for (const other of book(template.account).values()) {
      if (other !== template && other.createdFrom === template.createdFrom) equal = true;
    }
    const shares = sharesMarker(template);
    if (equal) duplicates.equalPayload++;
    if (shares) duplicates.sameMarker++;
    if (equal || shares) duplicates.total++;
  }

  /** At most one template of an account is the default, where the service keeps it so. */
  function keepOneDefault(template: StoredTemplate): void {
    if (!behaviour.singleDefault || template.default !== true) return;
    for (const other of book(template.account).values()) {
      if (other === template || other.default !== true) continue;
      const before = content(other);
      other.default = false;
      const writer: Writer = { source: "service", account: other.account, client: null };
      record(writer, "update", { templateId: other.id, payload: { default: false }, before, after: content(other) });
    }
  }

  return {
    of: (account) => [...book(account).values()],
    all: () => [...accounts.values()].flatMap((templates) => [...templates.values()]),
    find: (account, id) => accounts.get(account)?.get(id),
    create(writer, input, address) {
      const byClient = writer.client !== null;
      const template: StoredTemplate = {
        id: chance.uuid(`template:${writer.account}`),
        account: writer.account,
        alias_name: input.alias_name,
        address_type: input.address_type,
        default: input.default ?? false,
        address,
        verifications: [],
        createdAtMs: nowMs(),
        updatedAtMs: nowMs(),
        createdFrom: byClient ? canonical(input) : null,
      };
      book(writer.account).set(template.id, template);
      if (byClient) {
        effects.creates++;
        countCreate(template);
      }
      record(writer, "create", { templateId: template.id, payload: input, before: null, after: content(template) });
      keepOneDefault(template);
      return template;
    },
    update(writer, template, { input, address }) {
      const before = content(template);
      const markerBefore = marker(template.alias_name);
      if (input.alias_name !== undefined) template.alias_name = input.alias_name;
      if (input.address_type !== undefined) template.address_type = input.address_type;
      if (input.default !== undefined) template.default = input.default;
      if (address) {
        const altered = canonical(address) !== canonical(template.address);
        template.address = address;
        if (altered && behaviour.addressEditClearsVerification) template.verifications = [];
      }
      template.updatedAtMs = nowMs();
      if (writer.client !== null) effects.updates++;
      const renamed = writer.client !== null && marker(template.alias_name) !== markerBefore;
      if (renamed && sharesMarker(template)) duplicates.sameMarker++;
      record(writer, "update", { templateId: template.id, payload: input, before, after: content(template) });
      keepOneDefault(template);
    },
    remove(writer, template) {
      book(template.account).delete(template.id);
      if (writer.client !== null) effects.deletes++;
      record(writer, "delete", { templateId: template.id, payload: null, before: content(template), after: null });
    },
    verify(writer, template, carriers) {
      for (const carrier of carriers) {
        const earlier = template.verifications.find((entry) => entry.carrier === carrier);
        const { verification } = behaviour;
        const entry = askCarrier({
          templateId: template.id,
          carrier,
          nowMs: nowMs(),
          behaviour: verification,
          chance,
          earlier,
        });
        putVerification(template, entry);
      }
      const state = content(template);
      record(writer, "verify", { templateId: template.id, payload: { carriers }, before: state, after: state });
    },
    tell(template, verdict) {
      const earlier = template.verifications.find((entry) => entry.carrier === verdict.carrier);
      putVerification(template, toldVerdict(verdict, nowMs(), earlier));
      const state = content(template);
      const writer: Writer = { source: "service", account: template.account, client: null };
      record(writer, "verdict", { templateId: template.id, payload: verdict, before: state, after: state });
    },
    duplicates: () => ({ ...duplicates, alive: parts.markerPattern ? aliveMarkers(accounts, marker) : [] }),
    effects: () => ({ ...effects }),
    restore(templates) {
      accounts.clear();
      for (const template of templates) book(template.account).set(template.id, template);
    },
  };
}

type WriteDetail = {
  templateId: string;
  payload: unknown;
  before: TemplateContent | null;
  after: TemplateContent | null;
};

function content(template: StoredTemplate): TemplateContent {
  const { alias_name, address_type, address } = template;
  return { alias_name, address_type, default: template.default, address: { ...address } };
}

function putVerification(template: StoredTemplate, entry: CarrierVerification): void {
  const at = template.verifications.findIndex((other) => other.carrier === entry.carrier);
  if (at === -1) template.verifications.push(entry);
  else template.verifications[at] = entry;
}

function aliveMarkers(
  accounts: Map<string, Map<string, StoredTemplate>>,
  marker: (alias: unknown) => string | null,
): Duplicates["alive"] {
  const alive: Duplicates["alive"] = [];
  for (const [account, templates] of accounts) {
    const ids = new Map<string, string[]>();
    for (const template of templates.values()) {
      const own = marker(template.alias_name);
      if (own !== null) ids.set(own, [...(ids.get(own) ?? []), template.id]);
    }
    for (const [own, list] of ids) if (list.length > 1) alive.push({ account, marker: own, ids: list });
  }
  return alive;
}

/** One text for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
