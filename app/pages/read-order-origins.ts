import type { FormField } from "../domain/address/form-fields.ts";
import { FORM_FIELDS } from "../domain/address/form-fields.ts";
import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import type { AddressField } from "../domain/address/address.ts";
import { shopifyLines, templateLines } from "../domain/address/lines.ts";
import { addressText } from "../domain/address/text.ts";
import { requiredFields } from "../domain/address/validate.ts";
import { closedReason } from "../domain/closed-reason.ts";
import type { PostalFacts } from "../domain/mexico/postal-codes.ts";
import { suggestionsFor } from "../domain/mexico/postal/suggestions.ts";
import { postalCodeOf } from "../domain/mexico/read-location.ts";
import { placeWords } from "../domain/verification/field-words.ts";
import { carrierName, SUGGESTED_CARRIERS } from "../domain/verification/carriers.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { carrierStandings, isAwaited, isVerdict } from "../domain/verification/carrier-standing.ts";
import { exclusionOf, isUnderWay, originState } from "../domain/origin-state.ts";
import { moveNews } from "../domain/plan/move-news.ts";
import { outlookOf } from "../domain/readiness.ts";
import { DEFAULT_POLICIES } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { frozenAccount } from "../account/frozen-account.ts";
import { knownShop } from "../readings/known-shop.ts";
import type { OriginRecords, ShopOrigins } from "../readings/read-origin-facts.ts";
import { readOriginFacts, readOriginsOver } from "../readings/read-origin-facts.ts";
import { shopHealth } from "./read-shell.ts";
import type {
  OrderForm,
  OrderFormField,
  OrderHealth,
  OrderOriginsView,
  OrderOriginView,
} from "../views/order-origins.ts";

/** The origins of one order, by the ids of its locations. No call to anybody; another shop's ids come back as unknown. */
export async function readOrderOrigins(
  services: Pick<Services, "store" | "clock" | "settings">,
  { shop, locationIds }: { shop: string; locationIds: string[] },
): Promise<OrderOriginsView> {
  const current = await knownShop(services, { shop });
  // Labels are production's, whichever account is in use.
  const isTest = current?.connection?.environment === "test";
  const known = await (isTest
    ? readOriginsOver(services, {
        shop,
        ids: locationIds,
        connection: await frozenAccount(services.store, { shop, environment: "test" }),
      })
    : readOriginFacts(services, { shop, locationId: locationIds }));
  const listed = await services.store.postalCodes.findAll((known?.origins ?? []).map(codeOf).filter(Boolean));
  const origins = (known?.origins ?? []).map((origin) => {
    const view = viewOf(origin, { listed: listed.get(codeOf(origin)) ?? null, timeZone: known!.shop.timeZone });
    return isTest ? standingStill(view, origin) : view;
  });
  const chosen = (known?.shop.policies ?? DEFAULT_POLICIES).carriers;
  return {
    connection: known ? healthOf(known, isTest) : "none",
    origins,
    unknown: locationIds.filter((id) => !origins.some(({ locationId }) => locationId === id)),
    carriers: [...new Set([...chosen, ...SUGGESTED_CARRIERS])].map((carrier) => ({
      carrier,
      name: carrierName(carrier),
    })),
    nowMs: services.clock.nowMs(),
    timeZone: known?.shop.timeZone ?? null,
  };
}

function healthOf({ shop, connection }: ShopOrigins, isTest: boolean): OrderHealth {
  const health = shopHealth(shop, connection);
  if (!isTest || health === "shut") return health;
  return connection ? "test" : "test_only";
}

const codeOf = ({ location }: OriginRecords): string => postalCodeOf(location.address) ?? "";

/** @param listed what the list of postal codes in use says of the address's code. */
function viewOf(
  origin: OriginRecords,
  { listed, timeZone }: { listed: PostalFacts | null; timeZone: string },
): OrderOriginView {
  const { location, composed, link, item } = origin;
  const standings = carrierStandings(origin);
  const exclusion = exclusionOf(origin);
  const state = originState(origin);
  const included = exclusion === null && state !== "paused";
  const open = closedReason(origin.connection) === null;
  const awaitsNews = standings.some((standing) => isAwaited(standing) && !isVerdict(standing));
  const lookedAt = [link?.checkedAtMs, link?.syncedAtMs, ...standings.map(({ checkedAtMs }) => checkedAtMs)];
  return {
    locationId: location.locationId,
    legacyId: legacyIdOf(location.locationId),
    name: location.name,
    address: composed.attributes ? templateLines(composed.attributes) : shopifyLines(location.address),
    state,
    attention: outlookOf(origin, state).attention,
    exclusion,
    reason: item?.reason ? { code: item.reason.code, message: item.reason.message } : null,
    carriers: standings.map(({ carrier, outcome, stale, question, meaning, chosen }) => ({
      carrier,
      name: carrierName(carrier),
      outcome,
      stale,
      question,
      meaning,
      chosen,
    })),
    form: included ? formOf(origin, listed) : null,
    inShopify: included ? mendedInShopify(origin) : [],
    canSync: included && open,
    canVerify: included && link !== null && link.missingSinceMs === null && open,
    moving: isUnderWay(origin) || (included && awaitsNews) || state === "changing" || state === "waiting",
    // A move over the account of the other environment is none of the orders'.
    move: isElsewhere(origin) ? null : moveNews({ ...origin, timeZone }),
    checkedAtMs: lookedAt.reduce<number | null>((latest, at) => (at && at > (latest ?? 0) ? at : latest), null),
  };
}

/** Over an account that stands still nothing comes by itself, no move either, and what is saved goes to the other one first. */
function standingStill(view: OrderOriginView, { move }: OriginRecords): OrderOriginView {
  const awaits = move?.state === "coming" && view.move && view.move.code !== "elsewhere";
  return { ...view, form: null, moving: false, ...(awaits && { move: { code: "on_hold", atMs: null } }) };
}

function isElsewhere({ move, connection }: OriginRecords): boolean {
  return move?.state === "coming" && move.connectionId !== connection?.id;
}

/** Only what is missing, doubtful or refused is asked for; the rest of the address is sure and stays as it is. */
function formOf(origin: OriginRecords, listed: PostalFacts | null): OrderForm | null {
  const { location, details, composed } = origin;
  const refused = refusedFields(origin);
  const fields = FORM_FIELDS.flatMap((field): OrderFormField[] => {
    const problem = errorOf(origin, field);
    // Which of two addresses holds is chosen on the move's page.
    if (problem === "moved_elsewhere" || (problem === null && !refused[field])) return [];
    return [
      {
        field,
        value: composed.fields[field].value ?? "",
        problem,
        required: requiredFields(location.address.countryCode).includes(field),
        serviceMessages: refused[field] ?? [],
        choices: suggestionsFor(field, { facts: listed, offers: composed.fields[field].offers ?? [] }),
      },
    ];
  });
  const unconfirmed = details === null || details.confirmedAtMs === null;
  if (fields.length === 0 && !(unconfirmed && composed.attributes)) return null;
  return { revision: details?.revision ?? 0, readFrom: addressText(location.address), fields };
}

function mendedInShopify(origin: OriginRecords): OrderOriginView["inShopify"] {
  return ADDRESS_FIELDS.filter((field) => !FORM_FIELDS.includes(field as FormField)).flatMap((field) => {
    const problem = errorOf(origin, field);
    return problem === null ? [] : [{ field, problem }];
  });
}

function errorOf({ composed }: OriginRecords, field: AddressField) {
  return composed.problems.find((problem) => problem.field === field && problem.severity === "error")?.code ?? null;
}

function refusedFields({ item }: OriginRecords): Record<string, string[]> {
  const refused = item?.state === "blocked" && item.reason?.code === "refused_by_service";
  return refused ? placeWords({ fields: item.reason?.fields ?? {}, message: item.reason?.message ?? null }).fields : {};
}
