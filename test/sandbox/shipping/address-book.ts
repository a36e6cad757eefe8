/** The accounts' templates, who changed them, and the duplicates among them. */
import type { Chance } from "./chance.ts";
import type { Duplicates } from "./duplicates.ts";
import { canonical, createDuplicateCounter } from "./duplicates.ts";
import type { Behaviour } from "./options.ts";
import type { CarrierVerification, Verdict } from "./verification.ts";
import { askCarrier, toldVerdict } from "./verification.ts";
import type { TemplateContent, WriteEntry, WriteLog, WriteSource } from "./write-log.ts";

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
  readAt: number | null;
}

/** The fields of `address_template` as a request names them. */
export interface TemplateInput {
  alias_name?: unknown;
  address_type?: unknown;
  default?: unknown;
  address_attributes?: Record<string, unknown>;
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
  create(writer: Writer, made: { input: TemplateInput; address: Record<string, unknown> }): StoredTemplate;
  /** `address`: the whole address from now on, or null to leave it. */
  update(
    template: StoredTemplate,
    change: { writer: Writer; input: TemplateInput; address: Record<string, unknown> | null },
  ): void;
  remove(writer: Writer, template: StoredTemplate): void;
  verify(template: StoredTemplate, asked: { writer: Writer; carriers: string[] }): void;
  tell(template: StoredTemplate, verdict: Verdict): void;
  duplicates(): Duplicates;
  effects(): Effects;
  restore(templates: StoredTemplate[]): void;
}

type Write = Omit<WriteEntry, "sequence" | "atMs" | keyof Writer>;

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
  const duplicates = createDuplicateCounter(parts.markerPattern);
  const effects: Effects = { creates: 0, updates: 0, deletes: 0 };

  function book(account: string): Map<string, StoredTemplate> {
    let templates = accounts.get(account);
    if (!templates) accounts.set(account, (templates = new Map()));
    return templates;
  }

  function record(writer: Writer, write: Write): void {
    log.append({ atMs: nowMs(), ...writer, ...write });
    changed();
  }

  /** At most one template of an account is the default, where the service keeps it so. */
  function keepOneDefault(template: StoredTemplate): void {
    if (!behaviour.singleDefault || template.default !== true) return;
    for (const other of book(template.account).values()) {
      if (other === template || other.default !== true) continue;
      const before = content(other);
      other.default = false;
      const writer: Writer = { source: "service", account: other.account, client: null, readAt: null };
      record(writer, {
        operation: "update",
        templateId: other.id,
        payload: { default: false },
        before,
        after: content(other),
      });
    }
  }

  const every = () => [...accounts.values()].flatMap((templates) => [...templates.values()]);

  return {
    of: (account) => [...book(account).values()],
    all: every,
    find: (account, id) => accounts.get(account)?.get(id),
    create(writer, { input, address }) {
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
        duplicates.created(template, book(writer.account));
      }
      record(writer, {
        operation: "create",
        templateId: template.id,
        payload: input,
        before: null,
        after: content(template),
      });
      keepOneDefault(template);
      return template;
    },
    update(template, { writer, input, address }) {
      const before = content(template);
      if (input.alias_name !== undefined) template.alias_name = input.alias_name;
      if (input.address_type !== undefined) template.address_type = input.address_type;
      if (input.default !== undefined) template.default = input.default;
      if (address) {
        const altered = canonical(address) !== canonical(template.address);
        template.address = address;
        if (altered && behaviour.addressEditClearsVerification) template.verifications = [];
      }
      template.updatedAtMs = nowMs();
      if (writer.client !== null) {
        effects.updates++;
        duplicates.renamed(template, before.alias_name, book(template.account));
      }
      record(writer, {
        operation: "update",
        templateId: template.id,
        payload: input,
        before,
        after: content(template),
      });
      keepOneDefault(template);
    },
    remove(writer, template) {
      book(template.account).delete(template.id);
      if (writer.client !== null) effects.deletes++;
      record(writer, {
        operation: "delete",
        templateId: template.id,
        payload: null,
        before: content(template),
        after: null,
      });
    },
    verify(template, { writer, carriers }) {
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
      record(writer, {
        operation: "verify",
        templateId: template.id,
        payload: { carriers },
        before: state,
        after: state,
      });
    },
    tell(template, verdict) {
      const earlier = template.verifications.find((entry) => entry.carrier === verdict.carrier);
      putVerification(template, toldVerdict(verdict, { nowMs: nowMs(), earlier }));
      const state = content(template);
      const writer: Writer = { source: "service", account: template.account, client: null, readAt: null };
      record(writer, { operation: "verdict", templateId: template.id, payload: verdict, before: state, after: state });
    },
    duplicates: () => duplicates.count(every()),
    effects: () => ({ ...effects }),
    restore(templates) {
      accounts.clear();
      for (const template of templates) book(template.account).set(template.id, template);
    },
  };
}

function content(template: StoredTemplate): TemplateContent {
  const { alias_name, address_type, address } = template;
  return { alias_name, address_type, default: template.default, address: { ...address } };
}

function putVerification(template: StoredTemplate, entry: CarrierVerification): void {
  const at = template.verifications.findIndex((other) => other.carrier === entry.carrier);
  if (at === -1) template.verifications.push(entry);
  else template.verifications[at] = entry;
}
