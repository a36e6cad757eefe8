import type { AddressTemplate, TemplateDraft } from "../../../app/domain/records.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { CallOutcome, ServiceRequest } from "../../fakes/shipping/network.ts";

/** What was asked is done, and the answer's status says so, but its body tells of something else. */

const QUESTION = "service: 2xx to a question without the template";
const CREATE = "service: 201 with another template";
export const ODD_KINDS = [QUESTION, CREATE];

const NO_TEMPLATE = ["", JSON.stringify({ message: "accepted" })];
const ODDLY = 0.7;

/** Null where the answer is no such one. */
export function oddSuccess(
  random: SeededRandom,
  asked: { request: ServiceRequest; account: FakeAccount | null; arrivesAfterMs: number; afterMs: number },
): { outcome: CallOutcome; kind: string } | null {
  const { request, account, arrivesAfterMs, afterMs } = asked;
  const said = (kind: string, status: number, body: string) => ({
    kind,
    outcome: { arrivesAfterMs, effectAfterMs: 0, answer: { kind: "said", status, body, afterMs } as const },
  });
  const others = [...(account?.templates.values() ?? [])].filter((template) => isToBeTold(template, request));
  const other = others.length > 0 ? [JSON.stringify({ data: random.pick(others) })] : [];
  if (request.operation === "verify" && random.chance(ODDLY))
    return said(QUESTION, 202, random.pick([...NO_TEMPLATE, ...other]));
  const [stranger] = other;
  return request.operation === "create" && stranger && random.chance(ODDLY) ? said(CREATE, 201, stranger) : null;
}

/** Whether anybody could tell the template from the one that is meant. */
function isToBeTold({ id, alias_name }: AddressTemplate, { operation, templateId, body }: ServiceRequest): boolean {
  if (operation !== "create") return id !== templateId;
  const said = (body["address_template"] as TemplateDraft).alias_name;
  return alias_name !== said && !said.startsWith(alias_name);
}
