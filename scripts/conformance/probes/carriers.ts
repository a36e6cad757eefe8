import { asRecord, asText, parseJson } from "../../../app/adapters/shipping/wire/json.ts";
import type { WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import type { Written } from "../../../app/ports.ts";
import type { Asking } from "../asking.ts";
import { ask, type Outcome } from "../service.ts";
import { shapeOf } from "../shape.ts";
import { note } from "./tokens.ts";

/** docs/shipping-interface.md, 4.6 and 2.3: which carriers verify, and the words in which they tell how far they are. */

/** Nobody's name; a service that takes it takes any. */
export const INVENTED = "nobodys-carrier";
const FIRST_LOOK_MS = 500;
const LONGER_EACH_TIME = 1.3;
const LONGEST_LOOK_MS = 60_000;
const MOST_WORDS = 20;
/** A machine's word. Anything else a service may say there is not repeated. */
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}_ -]{0,39}$/u;

export async function askCarriers(asking: Asking): Promise<void> {
  const { seen, made, carriers, tell } = asking;
  if (!made.verified) return;
  const said = (seen.carriers = {} as Record<string, string>);
  for (const carrier of carriers) {
    const outcome = await verify(asking, carrier);
    said[carrier] = fateOf(outcome);
    if (outcome.value?.kind === "written") note(asking, "verify_by_carriers", outcome);
    see(asking, outcome.answer);
  }
  seen.inventedCarrier = fateOf(await verify(asking, INVENTED));
  tell(`  following what carriers say for ${Math.round(asking.followMs / 1_000)} s`);
  await follow(asking);
  const again = carriers.find((carrier) => said[carrier] === "takes");
  if (again) await askAgain(asking, again);
  await askEdit(asking);
}

function verify({ service, made, call }: Asking, carrier: string) {
  const { client, caller } = service;
  return ask(service, () =>
    client.verifyByCarriers(caller, { templateId: made.verified!.template.id, carriers: [carrier] }, call),
  );
}

function fateOf({ value, answer }: Outcome<Written<AddressTemplate | null>>): string {
  if (value?.kind === "written") return "takes";
  if (!answer) return "no answer";
  return shapeOf(answer).code ?? String(answer.status);
}

/** Asked once it has said something: the same entry stands there as before, or another one begins. */
async function askAgain(asking: Asking, carrier: string): Promise<void> {
  const entryOf = (template: AddressTemplate | null) =>
    template?.verified_carriers.find((entry) => entry.carrier_name === carrier);
  const before = entryOf(await read(asking));
  const { value } = await verify(asking, carrier);
  if (value?.kind !== "written" || !before?.verification_id) return;
  const after = entryOf(value.value);
  const isSame = after?.status === before.status && after.verification_id === before.verification_id;
  asking.seen.askedAgain = isSame ? "same_entry" : "new_entry";
}

/** Looks at growing intervals for as long as the run follows. */
async function follow(asking: Asking): Promise<void> {
  const { clock, followMs, call } = asking;
  const untilMs = clock.monotonicMs() + followMs;
  for (
    let waitMs = FIRST_LOOK_MS;
    clock.monotonicMs() < untilMs;
    waitMs = Math.min(waitMs * LONGER_EACH_TIME, LONGEST_LOOK_MS)
  ) {
    await clock.sleep(Math.min(waitMs, untilMs - clock.monotonicMs()), call.signal);
    await read(asking);
  }
}

async function read(asking: Asking): Promise<AddressTemplate | null> {
  const { service, made, call } = asking;
  const { id } = made.verified!.template;
  const { value, answer } = await ask(service, () => service.client.get(service.caller, id, call));
  see(asking, answer);
  return value?.kind === "found" ? value.value : null;
}

/** What an answer shows of `verified_carriers`. */
function see({ seen }: Asking, answer: WireAnswer | null): void {
  const entries = asRecord(asRecord(parseJson(answer?.body ?? ""))?.["data"])?.["verified_carriers"];
  if (!Array.isArray(entries)) return;
  const words = (seen.words ??= {});
  for (const entry of entries) {
    const record = asRecord(entry);
    const carrier = asText(record?.["carrier_name"]);
    const status = asText(record?.["status"]);
    if (!record || !carrier || !WORD.test(carrier) || carrier === INVENTED) continue;
    if (status !== null && WORD.test(status)) add((words[carrier] ??= []), status);
    const update = record["update_state"];
    const edition = update === undefined ? "absent" : update === null ? "null" : "present";
    if (seen.updateState !== "present") seen.updateState = edition;
    const word = asText(update);
    if (word !== null && WORD.test(word)) add((seen.updateWords ??= []), word);
  }
}

function add(words: string[], word: string): void {
  if (words.at(-1) !== word && words.length < MOST_WORDS) words.push(word);
}

/** Whether an edit of the address takes what carriers said of it. */
async function askEdit(asking: Asking): Promise<void> {
  const { service, made, seen, call, write } = asking;
  const { template, draft } = made.verified!;
  // What a carrier that was asked again says is not one of its words on the way.
  const { value: got } = await ask(service, () => service.client.get(service.caller, template.id, call));
  if (got?.kind !== "found" || got.value.verified_carriers.length === 0) return;
  const address_attributes = { ...draft.address_attributes, street1: "Calle de la Otra Prueba" };
  const update = () =>
    service.client.update(service.caller, { templateId: template.id, patch: { address_attributes } }, write);
  const { value } = await ask(service, update);
  if (value?.kind === "written") seen.editClearsVerification = value.value.verified_carriers.length === 0;
}
