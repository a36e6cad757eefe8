import { describe, expect, test } from "vitest";
import { STEP_MS } from "../../patience.ts";
import { projectToml } from "../admin/server.ts";
import type { HomeView } from "../../../app/views/home.ts";
import { DEFAULT_LOCATIONS, DEMO_LOCATIONS } from "../data/default-store.ts";
import { prepareJob } from "../play/job.ts";
import { playTheJob } from "../play/play.ts";
import { until } from "../play/until.ts";
import { startSandbox } from "../start.ts";
import type { Sandbox, SandboxOptions } from "../start.ts";
import { byTurns, IS_WHOLE } from "../../whole.ts";

const COMPLETE = DEFAULT_LOCATIONS[0]!;
const WITHOUT_PHONE = {
  ...COMPLETE,
  name: "Bodega sin teléfono",
  address: { ...COMPLETE.address, phone: null },
};

/** As `npm run demo` starts it: only the job has a carrier refuse something. */
const AS_DEMO: SandboxOptions = {
  hasPlayBar: true,
  locations: DEMO_LOCATIONS,
  shipping: { verification: { refusedShare: 0, otherShare: 0 } },
};

/** The job as the demo plays it, in a sandbox of its own: what was said, and whether it went well. */
async function play(
  options: SandboxOptions,
  {
    patienceMs,
    after = async () => undefined,
  }: { patienceMs?: (step: string) => number; after?: (sandbox: Sandbox) => Promise<void> } = {},
): Promise<{ went: boolean; said: string }> {
  const sandbox = await startSandbox(options);
  const said: string[] = [];
  try {
    const went = await playTheJob(sandbox, {
      say: (line) => said.push(line),
      patienceMs,
      hasVisitor: options.hasPlayBar === true,
    });
    await after(sandbox);
    return { went, said: said.join("\n") };
  } finally {
    await sandbox.stop();
  }
}

/** What a step waits for here does not come; the steps before it have all the time that they need. */
const onlyShortly = (step: string, ms: number) => ({ patienceMs: (each: string) => (each === step ? ms : STEP_MS) });

/** Home as the demo leaves it: five origins in order, and one with a story. */
async function seeHome(sandbox: Sandbox): Promise<void> {
  const { visitor } = prepareJob(sandbox);
  const home = await until({
    what: "The carriers' answers",
    read: async () => (await visitor.load<{ home: HomeView }>("/app", "routes/app._index")).home,
    holds: ({ origins }) => origins.underWay === 0,
  });
  expect(home.origins).toMatchObject({ total: 6, ready: 5, yours: 1 });
  expect(home.needs).toMatchObject([{ need: "refused_by_carrier", count: 1 }]);
}

interface Sides {
  locations: { name: string; lines: string[] }[];
  templates: { lines: string[] }[];
  report: string;
}

/** As a visitor plays once the job is done: a change crosses from one side to the other, and nobody presses anything in the app. */
async function tryEachButton({ adminUrl, stores, shipping }: Sandbox): Promise<void> {
  const store = `${adminUrl}/store/${stores[0]!.handle}`;
  const press = async (act: string) => {
    const response = await fetch(`${store}/play/${act}`, { method: "POST" });
    return (await response.json()) as { said: string; link?: { href: string }; labels: Record<string, string> };
  };
  const sides = async () => (await (await fetch(`${store}/side-by-side.json`)).json()) as Sides;
  const everyLine = (rows: { lines: string[] }[]) => rows.flatMap(({ lines }) => lines).join("\n");
  const crosses = async (said: string) => {
    const street = /(?:Colima|Tonalá) \d+/.exec(said)![0];
    const { locations, templates } = await sides();
    expect(everyLine(locations)).toContain(street);
    return everyLine(templates).includes(street);
  };

  const { said } = await press("move");
  await until({ what: "The move", read: () => crosses(said), holds: Boolean });

  expect((await press("switch")).labels.switch).toBe("Encender el servicio");
  // A page that is opened meanwhile says the same.
  expect(await (await fetch(`${store}/play`)).json()).toMatchObject({ labels: { switch: "Encender el servicio" } });
  const meanwhile = await press("move");
  expect(await crosses(meanwhile.said)).toBe(false);
  expect((await press("switch")).labels.switch).toBe("Apagar el servicio");
  await until({ what: "What waited", read: () => crosses(meanwhile.said), holds: Boolean });

  const edited = await press("edit-book");
  expect(edited.link!.href).toMatch(/\/apps\/origen\/app\/origins\/\d+$/);
  expect(edited.said).toMatch(/Alguien cambió la referencia de «.+»/);
  expect(everyLine((await sides()).templates)).toMatch(/Timbre azul|Portón de madera, tocar/);

  const refuses = () => shipping!.configure({}).verification.verdicts.dhl === "rejected";
  await press("refuse");
  expect(refuses()).toBe(true);
  await press("refuse");
  expect(refuses()).toBe(false);
  expect((await sides()).report).toMatch(/más en un segundo: [12] · duplicados: 0/);
}

const STORES = [
  ["one complete location", [COMPLETE], /1 templates: Tienda Roma Norte/],
  ["a location without a phone", [WITHOUT_PHONE], /0 templates[^]*Bodega sin teléfono lacks: Phone/],
  ["one of both", [WITHOUT_PHONE, COMPLETE], /1 templates: Tienda Roma Norte[^]*Bodega sin teléfono lacks: Phone/],
] as const;

// Side by side: each has a sandbox of its own and spends most of its time waiting for slots and carriers.
describe.concurrent("the whole job", () => {
  test("succeeds with the project's own toml", async () => {
    const { went, said } = await play(AS_DEMO, {
      async after(sandbox) {
        await seeHome(sandbox);
        await tryEachButton(sandbox);
      },
    });
    expect(said).not.toContain("FAILED");
    expect(went).toBe(true);
  });

  test.each(byTurns(STORES, 2))("goes on with %s, and says what is missing", async (_store, locations, says) => {
    const { went, said } = await play({ locations: [...locations] });
    expect(said).not.toContain("FAILED");
    expect(said).toMatch(says);
    expect(said).toContain("Read the service's report");
    expect(went).toBe(true);
  });

  test("without the topic of a changed location its template does not follow", async () => {
    const tomlText = projectToml().replace('"locations/update",', "");
    const { went, said } = await play(
      { tomlText, locations: DEFAULT_LOCATIONS.slice(0, 2) },
      onlyShortly("Change a location in Shopify", 12_000),
    );
    expect(went).toBe(false);
    expect(said).toMatch(/Change a location in Shopify: FAILED\s+The changed template did not come/);
  });

  test.runIf(IS_WHOLE)("without its scope the app sees no locations", async () => {
    const tomlText = projectToml().replace('scopes = "read_locations"', 'scopes = ""');
    const { went, said } = await play({ tomlText }, onlyShortly("See the store's locations", 5_000));
    expect(went).toBe(false);
    expect(said).toMatch(/See the store's locations: FAILED/);
  });
});
