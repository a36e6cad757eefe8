import { setTimeout as sleep } from "node:timers/promises";
import { markerIn, markerOf } from "../../app/domain/marker.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { LocationInput } from "../sandbox/admin/locations.ts";
import type { RunningAdmin } from "../sandbox/admin/server.ts";
import type { ShopState } from "../sandbox/admin/state.ts";
import type { FaultRule } from "../sandbox/shipping/faults.ts";
import type { AccountTemplate, ShippingService } from "../sandbox/shipping/server.ts";

/** What happens in a soak while the server is killed, and how it is judged. */
export interface SoakWorld {
  random: SeededRandom;
  admin: RunningAdmin;
  service: ShippingService;
  shop: ShopState;
  clientId: string;
}

/** Within the quarantine the app is started with. */
export const LATEST_EFFECT_MS = 3_000;

const LOCATIONS = 6;
/** Fields that only people change: what they say there must stay. */
const PEOPLES_FIELDS = ["reference", "email"] as const;

/** In Shopify's own delimited form, so that a move needs nobody's confirmation. */
export function soakLocations(): LocationInput[] {
  return Array.from({ length: LOCATIONS }, (_, index) => ({
    name: `Bodega ${index + 1}`,
    fulfillsOnlineOrders: true,
    address: {
      address1: `Avenida Vallarta \u2060${100 + index}`,
      address2: " \u2060Americana",
      city: "Guadalajara",
      provinceCode: "JAL",
      countryCode: "MX",
      zip: "44160",
      phone: "+523336150000",
    },
  }));
}

export function faultRules(): FaultRule[] {
  // More, and the connection would rest most of the time: there would be little to kill.
  const probability = 0.02;
  return [
    { kind: "lost-reply", probability },
    { kind: "late-effect", probability, delayMs: [200, LATEST_EFFECT_MS] },
    { kind: "error-before", probability },
    { kind: "error-after", probability },
    { kind: "reset", probability },
    { kind: "unreadable-json", probability: probability / 2 },
    { kind: "unauthorized", probability: probability / 2 },
    { kind: "too-many", probability: probability / 2, retryAfter: 1 },
    { kind: "slow", probability: 0.3, delayMs: [10, 400], way: "in" },
  ];
}

/** Moves and renames in Shopify, edits by people in the service, until told to stop. */
export async function stir({ random, admin, service, shop, clientId }: SoakWorld, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(random.between(200, 1_500));
    const location = random.pick([...shop.locations.values()]);
    if (random.chance(0.15)) {
      const template = random.pick([...service.templates(clientId, "production"), null]);
      const value = `Persona ${random.between(1, 9_999)}`;
      if (template) service.editTemplate(template.id, { address_attributes: { reference: value } });
    } else if (random.chance(0.3)) {
      admin.locations.change(shop, location.id, { name: `Bodega ${location.id} ${random.between(1, 9_999)}` });
    } else {
      const street = random.pick(["Avenida Vallarta", "Calle Morelos", "Avenida Hidalgo"]);
      admin.locations.change(shop, location.id, { address: { address1: `${street} \u2060${random.between(1, 999)}` } });
    }
  }
}

export function judgeSoak(world: SoakWorld): {
  lost: string[];
  duplicates: number;
  overwritten: string[];
  unseeable: number;
  secondsOverLimit: number;
} {
  const { service, shop, clientId } = world;
  const templates = service.templates(clientId, "production");
  const byMarker = Map.groupBy(templates, (template) => markerIn(String(template["alias_name"])));
  const lost = [...shop.locations.values()].flatMap((location) => {
    const marker = markerOf(shop.domain, `gid://shopify/Location/${location.id}`);
    const [template] = byMarker.get(marker) ?? [];
    return template ? notFollowed(location, template) : [`${location.name} has no template`];
  });
  const { duplicates, secondsOverLimit } = service.report();
  return { lost, duplicates: duplicates.total + duplicates.alive.length, secondsOverLimit, ...overwrites(service) };
}

function notFollowed(
  location: { name: string; address: { address1?: string | null } },
  template: AccountTemplate,
): string[] {
  const [street = "", number = ""] = (location.address.address1 ?? "").split("\u2060");
  const address = template["address"] as Record<string, string | null>;
  const wanted = { street1: street.trim(), street_number: number };
  const lost = Object.entries(wanted).filter(([field, value]) => address[field] !== value);
  const named = String(template["alias_name"]).startsWith(`${location.name} [`);
  return [
    ...lost.map(([field, value]) => `${location.name}: ${field} is ${address[field]}, not ${value}`),
    ...(named ? [] : [`${location.name} is called ${String(template["alias_name"])}`]),
  ];
}

/**
 * Writes of ours that took a person's words away, in a field that we had nothing new to say in. Words that came after our last
 * reading before the write could not be seen: the service has no precondition.
 */
function overwrites(service: ShippingService): { overwritten: string[]; unseeable: number } {
  const overwritten: string[] = [];
  let unseeable = 0;
  const said = new Map<string, { value: string; sequence: number }>();
  for (const { source, sequence, templateId, readAt, before, after } of service.log()) {
    for (const field of PEOPLES_FIELDS) {
      const key = `${templateId} ${field}`;
      const value = valueOf(after, field);
      const words = said.get(key);
      if (source === "person") {
        if (value !== null && value !== valueOf(before, field)) said.set(key, { value, sequence });
      } else if (words && valueOf(before, field) === words.value && value !== words.value) {
        if (readAt !== null && words.sequence > readAt) unseeable += 1;
        else overwritten.push(`${key}: ${words.value} became ${value}`);
      }
    }
  }
  return { overwritten, unseeable };
}

function valueOf(template: unknown, field: string): string | null {
  const address = (template as { address?: Record<string, string | null> } | null)?.address;
  return address?.[field] ?? null;
}
