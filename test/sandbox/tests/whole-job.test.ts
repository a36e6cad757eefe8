import { describe, expect, test } from "vitest";
import { projectToml } from "../admin/server.ts";
import { DEFAULT_LOCATIONS } from "../data/default-store.ts";
import { playTheJob } from "../play/play.ts";
import { startSandbox } from "../start.ts";
import type { SandboxOptions } from "../start.ts";

/** The job as the demo plays it, in a sandbox of its own: what was said, and whether it went well. */
async function play(options: SandboxOptions, patienceMs: number): Promise<{ went: boolean; said: string }> {
  const sandbox = await startSandbox(options);
  const said: string[] = [];
  try {
    const went = await playTheJob(sandbox, { say: (line) => said.push(line), patienceMs });
    return { went, said: said.join("\n") };
  } finally {
    await sandbox.stop();
  }
}

// Side by side: each has a sandbox of its own and spends most of its time waiting for slots and carriers.
describe.concurrent("the whole job", { timeout: 180_000 }, () => {
  test("succeeds with the project's own toml", async () => {
    const { went, said } = await play({}, 30_000);
    expect(said).not.toContain("FAILED");
    expect(went).toBe(true);
  });

  test("without the topic of a changed location its template does not follow", async () => {
    const tomlText = projectToml().replace('"locations/update",', "");
    const { went, said } = await play({ tomlText, locations: DEFAULT_LOCATIONS.slice(0, 2) }, 12_000);
    expect(went).toBe(false);
    expect(said).toMatch(/Change a location in Shopify: FAILED\s+The changed template did not come/);
  });

  test("without its scope the app sees no locations", async () => {
    const tomlText = projectToml().replace('scopes = "read_locations"', 'scopes = ""');
    const { went, said } = await play({ tomlText }, 5_000);
    expect(went).toBe(false);
    expect(said).toMatch(/See the store's locations: FAILED/);
  });
});
