// The job, with a function for each step. Each does what a person does and returns a line with its result. A step that fails throws.
import common from "../../../app/i18n/locales/en/common.json" with { type: "json" };
import type { SettingsReply } from "../../../app/components/settings/settings-actions.ts";
import type { OriginsView } from "../../../app/views/origins.ts";
import type { SettingsView } from "../../../app/views/settings.ts";
import type { LocationRecord } from "../admin/state.ts";
import { filledForm, MISSING_ZIP, SHOP_CONTACT } from "./details.ts";
import { firstMapped, NOTHING_MAPPED } from "./job.ts";
import type { Job } from "./job.ts";
import { until } from "./until.ts";
import { beRefused, grantOrders, refuseFromNowOn } from "./visitor-steps.ts";

export interface Step {
  title: string;
  run(job: Job): Promise<string>;
  onlyWithVisitor?: true;
}

const SETTINGS_ROUTE = "routes/app.settings";
const ORIGINS_ROUTE = "routes/app.origins._index";
const ASKED: string[] = ["fedex", "dhl"];

export const STEPS: Step[] = [
  { title: "Open the app in the admin", run: open },
  { title: "Connect to the shipping service", run: connect },
  { title: "See the store's locations", run: seeLocations },
  { title: "Say once what all of them share", run: shareContact },
  { title: "Map each location to a template", run: mapLocations },
  { title: "Verify with carriers", run: verify },
  { title: "Change a location in Shopify", run: changeLocation },
  { title: "A carrier refuses the new address", run: beRefused, onlyWithVisitor: true },
  { title: "Let the app show where an order is from", run: grantOrders, onlyWithVisitor: true },
  { title: "Read the service's report", run: readReport },
];

async function open({ visitor, adminUrl }: Job): Promise<string> {
  const { status, html, headers } = await visitor.open("/app");
  if (status !== 200) throw new Error(`The frame answered ${status}: ${html.slice(0, 300)}`);
  const policy = headers.get("content-security-policy") ?? "";
  if (!policy.includes(`${adminUrl}`)) throw new Error(`The page may not be framed: ${policy}`);
  if (!html.includes(`${adminUrl}/app-bridge.js`)) throw new Error("The page does not load App Bridge");
  return "the page came, framed, with a session token exchanged for an access token";
}

async function connect({ visitor, credentials }: Job): Promise<string> {
  const stated = { environment: "production", ...credentials, scope: null, redirectUri: null };
  const wrong = { ...stated, clientSecret: "not-the-secret" };
  const refused = await visitor.submit<SettingsReply>("/app/settings", SETTINGS_ROUTE, { intent: "test", ...wrong });
  if (refused.outcome.kind === "works") throw new Error("A wrong secret was taken");
  const { outcome } = await visitor.submit<SettingsReply>("/app/settings", SETTINGS_ROUTE, {
    intent: "connect",
    ...stated,
  });
  if (outcome.kind !== "connected") throw new Error(`The service was not connected: ${JSON.stringify(outcome)}`);
  return `production, client id ${credentials.clientId}; a wrong secret was refused (${refused.outcome.kind})`;
}

async function seeLocations(job: Job): Promise<string> {
  const { visitor, shop } = job;
  if (shop.locations.size === 0) await visitor.admin("/settings/locations/new", { ...NEW_LOCATION });
  const view = await until({
    what: "The store's locations",
    read: async () => (await visitor.load<{ view: OriginsView }>("/app/origins", ORIGINS_ROUTE)).view,
    holds: ({ total }) => total >= shop.locations.size,
    withinMs: job.patienceMs,
  });
  return `${view.total} locations, ${view.counts.needs_you} wait for their owner`;
}

async function shareContact({ visitor }: Job): Promise<string> {
  const { revision, settings } = await visitor.load<SettingsView>("/app/settings", SETTINGS_ROUTE);
  const request = { intent: "save", revision, settings: { ...settings, contact: SHOP_CONTACT } };
  const { outcome } = await visitor.submit<SettingsReply>("/app/settings", SETTINGS_ROUTE, request);
  if (outcome.kind !== "saved") throw new Error(`The settings were not saved: ${JSON.stringify(outcome)}`);
  return `${SHOP_CONTACT.name}, ${SHOP_CONTACT.email}`;
}

async function mapLocations(job: Job): Promise<string> {
  const names: string[] = [];
  const left: string[] = [];
  for (const location of job.origins()) {
    const zip = location.address.zip ?? MISSING_ZIP[location.name];
    if (zip && !location.address.zip) await editInShopify(job, location, { zip });
    const lacks = zip ? await save(job, location) : ["postal_code" as const];
    if (lacks.length > 0) {
      left.push(`${location.name} lacks: ${lacks.map((field) => FIELDS[field] ?? field).join(", ")}`);
      continue;
    }
    await until({
      what: `The template of ${location.name}`,
      read: () => job.templateOf(location),
      holds: (template) => template !== undefined,
      withinMs: job.patienceMs,
    });
    names.push(location.name);
  }
  const made = `${names.length} templates${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
  return [
    made,
    ...left,
    ...(left.length > 0 ? ["Write it in the app, or in Shopify's page of the location."] : []),
  ].join("\n     ");
}

/** As the app calls an address's fields. From the file itself, since plain Node cannot load what gathers the files for the bundler. */
const FIELDS: Record<string, string> = common.fields;

/** Waits until the app has read the location as it is now, then saves the form as the page shows it. Answers what it lacks. */
async function save(job: Job, location: LocationRecord): Promise<string[]> {
  const view = await until({
    what: `${location.name} as Shopify has it`,
    read: () => job.originOf(location),
    holds: ({ fields }) => fields.find((one) => one.field === "postal_code")?.value === location.address.zip,
    withinMs: job.patienceMs,
  });
  const { revision, readFrom } = view.form;
  const answer = await job.ask(location, {
    intent: "save",
    revision,
    readFrom,
    values: filledForm(location, view.form),
  });
  if (answer.kind === "invalid") return answer.problems.map(({ field }) => field);
  if (answer.kind !== "done") throw new Error(`${location.name} was not saved: ${JSON.stringify(answer)}`);
  return [];
}

async function verify(job: Job): Promise<string> {
  const location = await firstMapped(job);
  if (!location) return NOTHING_MAPPED;
  const answer = await job.ask(location, { intent: "verify", carriers: ASKED });
  // Quick carriers have answered the question that followed the save by now, and are not asked again within a minute.
  if (answer.kind !== "done" && answer.kind !== "asked_lately")
    throw new Error(`The verification was not asked for: ${JSON.stringify(answer)}`);
  const { standings } = await until({
    what: "A carrier's answer",
    read: () => job.originOf(location),
    holds: (view) =>
      view.standings.some(({ carrier, outcome }) => ASKED.includes(carrier) && SETTLED.includes(outcome)),
    withinMs: 2 * job.patienceMs,
  });
  const asked = standings.filter(({ carrier }) => ASKED.includes(carrier));
  return `${location.name}: ${asked.map(({ carrier, outcome, status }) => `${carrier} ${outcome} (${status ?? "no word"})`).join(", ")}`;
}

const SETTLED = ["accepted", "refused", "unknown", "not_offered"];

async function changeLocation(job: Job): Promise<string> {
  const location = await firstMapped(job);
  if (!location) return NOTHING_MAPPED;
  const before = (await job.templateOf(location))?.id;
  const street = "Avenida Álvaro Obregón";
  // What follows by itself is asked about by itself: the next step waits for the carrier's answer.
  if (job.hasVisitor) await refuseFromNowOn(job);
  await editInShopify(job, location, { street, number: "127" });
  const template = await until({
    what: "The changed template",
    read: () => job.templateOf(location),
    holds: (one) => JSON.stringify(one?.address ?? {}).includes(street) && JSON.stringify(one?.address).includes("127"),
    withinMs: job.patienceMs,
  });
  if (template?.id !== before) throw new Error("Another template was made instead of changing the one");
  return `${location.name} moved to ${street} 127, and its template followed by itself`;
}

async function readReport({ service }: Job): Promise<string> {
  const { callsByOperation, mostInSecond, secondsOverLimit, duplicates } = service.report();
  const calls = Object.entries(callsByOperation).map(([operation, count]) => `${operation} ${count}`);
  const lines = [
    `calls: ${calls.join(", ")}`,
    `most arrivals of one client in a sliding second: ${mostInSecond} (limit 2), seconds over the limit: ${secondsOverLimit}`,
    `duplicates: ${duplicates.total}`,
  ];
  if (mostInSecond > 2 || secondsOverLimit > 0) throw new Error(`The rate was exceeded. ${lines.join("; ")}`);
  if (duplicates.total > 0 || duplicates.alive.length > 0) throw new Error(`There are duplicates. ${lines.join("; ")}`);
  return lines.join("\n     ");
}

/** The admin's own form of a location: it shows every field, so every field is sent. */
async function editInShopify(
  { visitor }: Job,
  location: LocationRecord,
  change: Record<string, string>,
): Promise<void> {
  const { name, fulfillsOnlineOrders, address } = location;
  const [street = "", number = ""] = (address.address1 ?? "").split("\u2060");
  const second = address.address2 ?? "";
  const mark = second.indexOf("\u2060");
  await visitor.admin(`/settings/locations/${location.id}`, {
    name,
    ...(fulfillsOnlineOrders && { fulfillsOnlineOrders: "on" }),
    street: street.trim(),
    number,
    line2: mark < 0 ? second : second.slice(0, mark).trim(),
    colonia: mark < 0 ? "" : second.slice(mark + 1),
    zip: address.zip ?? "",
    city: address.city ?? "",
    provinceCode: address.provinceCode ?? "",
    countryCode: address.countryCode,
    phone: address.phone ?? "",
    ...change,
  });
}

const NEW_LOCATION = {
  name: "Tienda principal",
  fulfillsOnlineOrders: "on",
  countryCode: "MX",
  street: "Calle Orizaba",
  number: "42",
  line2: "",
  colonia: "Roma Norte",
  zip: "06700",
  city: "Cuauhtémoc",
  provinceCode: "DF",
  phone: "55 5264 0101",
};
