/** Faults on demand: rules that say which calls suffer what, by count or by chance. */
import type { Chance } from "./chance.ts";
import type { FaultRule } from "./options.ts";
import { FAULT_KINDS, VALIDATION_SHAPES } from "./options.ts";
import type { Environment, Operation } from "./routing.ts";
import { ENVIRONMENTS, OPERATIONS } from "./routing.ts";

export interface ActiveFault extends FaultRule {
  id: string;
  struck: number;
}

export interface FaultTarget {
  operation: Operation | "unknown";
  environment: Environment | null;
  clientId: string | null;
  /** The template id in the path; empty where there is none. */
  templateId: string;
  /** The page of the list; null for other operations. */
  page: number | null;
  /** `grant_type` of a call for a token. */
  grant: string | null;
}

export interface Faults {
  /** Adds rules; returns their ids. Throws a RangeError that names what a rule gets wrong. */
  set(rules: FaultRule | FaultRule[]): string[];
  /** Takes one rule away, or all. */
  clear(id?: string): void;
  list(): ActiveFault[];
  /** The delay, in ms, of the rules that slow this call on one way. */
  delay(target: FaultTarget, way: "in" | "out"): number;
  /** The first other rule that strikes this call. */
  strike(target: FaultTarget): ActiveFault | null;
  struck(): Record<string, number>;
}

const TOKEN_OPERATIONS: readonly string[] = ["token", "revoke", "introspect"];

export function createFaults(chance: Chance): Faults {
  let active: ActiveFault[] = [];
  let numbered = 0;
  const struck: Record<string, number> = {};

  function hits(fault: ActiveFault, target: FaultTarget): boolean {
    if (!matches(fault, target)) return false;
    const probability = fault.probability ?? 1;
    if (probability < 1 && chance.real(`fault:${fault.id}:${target.clientId}`) >= probability) return false;
    fault.struck++;
    struck[fault.kind] = (struck[fault.kind] ?? 0) + 1;
    if (fault.next !== undefined && fault.struck >= fault.next) active = active.filter((other) => other !== fault);
    return true;
  }

  return {
    set(rules) {
      const list = Array.isArray(rules) ? rules : [rules];
      list.forEach(assertRule);
      const added = list.map((rule) => ({ ...rule, id: `fault-${++numbered}`, struck: 0 }));
      active = [...active, ...added];
      return added.map((rule) => rule.id);
    },
    clear(id) {
      active = id === undefined ? [] : active.filter((fault) => fault.id !== id);
    },
    list: () => active.map((fault) => ({ ...fault })),
    delay(target, way) {
      let delayMs = 0;
      for (const fault of active) {
        if (fault.kind !== "slow" || (fault.way ?? "in") !== way || !hits(fault, target)) continue;
        delayMs += drawDelay(fault, chance, target);
      }
      return delayMs;
    },
    strike: (target) => active.find((fault) => fault.kind !== "slow" && hits(fault, target)) ?? null,
    struck: () => ({ ...struck }),
  };
}

/** A rule's delay in ms; 0 when it has none. */
export function drawDelay(fault: ActiveFault, chance: Chance, target: FaultTarget): number {
  const delay = fault.delayMs ?? 0;
  return typeof delay === "number" ? delay : chance.whole(`delay:${fault.id}:${target.clientId}`, delay);
}

function matches(fault: ActiveFault, target: FaultTarget): boolean {
  const { operation, environment, clientId, templateId, page, grant } = target;
  if (fault.environment && fault.environment !== environment) return false;
  if (fault.clientId && fault.clientId !== clientId) return false;
  if (fault.templateId !== undefined && fault.templateId !== templateId) return false;
  if (fault.page !== undefined && fault.page !== page) return false;
  if (fault.kind === "invalid-grant" && grant !== "refresh_token") return false;
  if (fault.kind === "unauthorized" && TOKEN_OPERATIONS.includes(operation)) return false;
  if (fault.kind === "invalid-client" && !TOKEN_OPERATIONS.includes(operation)) return false;
  return !fault.operations || fault.operations.some((name) => name === operation);
}

function assertRule(rule: FaultRule): void {
  const { kind, operations = [], probability = 1, next = 1, environment, shape, delayMs = 0 } = rule;
  if (!FAULT_KINDS.includes(kind)) throw new RangeError(`kind: one of ${FAULT_KINDS.join(", ")}`);
  if (!Array.isArray(operations) || !operations.every((name) => OPERATIONS.includes(name))) {
    throw new RangeError(`operations: a list of ${OPERATIONS.join(", ")}`);
  }
  if (!(probability >= 0 && probability <= 1)) throw new RangeError("probability: from 0 to 1");
  if (!Number.isInteger(next) || next < 1) throw new RangeError("next: a whole number above 0");
  if (environment && !ENVIRONMENTS.includes(environment)) throw new RangeError("environment: test or production");
  if (shape && !VALIDATION_SHAPES.includes(shape))
    throw new RangeError(`shape: one of ${VALIDATION_SHAPES.join(", ")}`);
  const delays = Array.isArray(delayMs) ? delayMs : [delayMs, delayMs];
  if (delays.length !== 2 || !delays.every((ms) => ms >= 0) || delays[0]! > delays[1]!) {
    throw new RangeError("delayMs: milliseconds, or [shortest, longest]");
  }
}
