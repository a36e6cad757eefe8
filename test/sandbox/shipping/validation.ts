/** What the service refuses in an address, and the many shapes in which it says so. */
import type { Chance } from "./chance.ts";
import type { Behaviour, ValidationShape } from "./options.ts";
import { VALIDATION_SHAPES } from "./options.ts";
import type { Reply } from "./replies.ts";
import { json } from "./replies.ts";

export const ADDRESS_FIELDS = [
  "name",
  "company",
  "street1",
  "street_number",
  "apartment_number",
  "postal_code",
  "area_level1",
  "area_level2",
  "area_level3",
  "country_code",
  "phone",
  "email",
  "reference",
  "rfc",
] as const;

/** docs/shipping-interface.md, 2.2: never null in a reply, so required everywhere. */
const REQUIRED = ["name", "street1", "postal_code", "area_level1", "area_level2", "country_code", "phone", "email"];
/** docs/shipping-interface.md, 4.3: required as well when the country is Mexico. */
const REQUIRED_IN_MEXICO = [...REQUIRED, "area_level3", "reference"];

export type Problems = Record<string, string[]>;

type Limits = Pick<Behaviour, "longestText" | "textLimits">;

function longestOf(field: string, { longestText, textLimits }: Limits): number {
  const own = textLimits[field];
  return Math.min(longestText ?? Infinity, own?.over === "refuse" ? own.length : Infinity);
}

/** Problems of a whole address as it would be kept. */
export function addressProblems(address: Record<string, unknown>, limits: Limits): Problems {
  const problems: Problems = {};
  for (const field of address.country_code === "MX" ? REQUIRED_IN_MEXICO : REQUIRED) {
    const value = address[field];
    if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) {
      problems[field] = ["no puede estar en blanco"];
    }
  }
  for (const [field, value] of Object.entries(address)) {
    if (value === null || value === undefined) continue;
    if (typeof value !== "string") (problems[field] ??= []).push("debe ser texto");
    else {
      const longest = longestOf(field, limits);
      if ([...value].length > longest) {
        (problems[field] ??= []).push(`es demasiado largo (máximo ${longest} caracteres)`);
      }
    }
  }
  return problems;
}

/** Problems of the fields beside the address. `whole`: a create, where they are required. */
export function templateProblems(
  template: Record<string, unknown>,
  { whole, textLimits }: { whole: boolean } & Pick<Limits, "textLimits">,
): Problems {
  const problems: Problems = {};
  for (const field of ["alias_name", "address_type"]) {
    const value = template[field];
    if (value === undefined && !whole) continue;
    if (typeof value !== "string" || value.trim() === "") problems[field] = ["no puede estar en blanco"];
  }
  const { alias_name: alias } = template;
  const longest = longestOf("alias_name", { longestText: null, textLimits });
  if (typeof alias === "string" && [...alias].length > longest) {
    problems.alias_name = [`es demasiado largo (máximo ${longest} caracteres)`];
  }
  const standard = template.default;
  if (standard !== undefined && standard !== null && typeof standard !== "boolean") {
    problems.default = ["debe ser verdadero o falso"];
  }
  return problems;
}

export interface RefusalOptions {
  behaviour: Pick<Behaviour, "validationShape" | "validationStatus">;
  chance: Chance;
  /** Overrides the behaviour's shape. */
  shape?: ValidationShape;
  /** Overrides the drawn status (422 or 400). */
  status?: number;
  message?: string;
}

/** A 422 or 400 that says what is wrong, in one of the shapes seen in the field. */
export function refusal(problems: Problems, options: RefusalOptions): Reply {
  const { chance } = options;
  const wanted = options.shape ?? options.behaviour.validationShape;
  const shape = wanted === "seed" ? chance.pick("validation-shape", VALIDATION_SHAPES) : wanted;
  const { validationStatus: told } = options.behaviour;
  const status = options.status ?? (told === "seed" ? chance.pick("validation-status", [422, 422, 400]) : told);
  const texts = Object.entries(problems).flatMap(([field, messages]) =>
    messages.map((message) => `${field} ${message}`),
  );
  const text = options.message ?? texts.join(", ");
  return json(status, refusalBody({ shape, problems, text }));
}

function refusalBody({ shape, problems, text }: { shape: ValidationShape; problems: Problems; text: string }): unknown {
  switch (shape) {
    case "errors-template-field":
      return { errors: { address_template: problems } };
    case "errors-address-field":
      return { errors: { address_template: { address_attributes: problems } } };
    case "errors-field":
      return { errors: problems };
    case "errors-dotted":
      return {
        errors: Object.fromEntries(Object.entries(problems).map(([field, list]) => [`address.${field}`, list])),
      };
    case "bare-field":
      return problems;
    case "errors-text":
      return { errors: text };
    case "errors-list":
      return { errors: text.split(", ") };
    case "error-code":
      return { error: "INVALID_ADDRESS_TEMPLATE" };
    case "success-false":
      return { success: false, message: null };
    case "message":
      return { message: text };
  }
}
