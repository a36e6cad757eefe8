import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** A file that has never run here, as in a fresh clone, is guessed by its folder, and by its size: a second for each five kilobytes. */
const FOLDERS_MS = [
  ["test/e2e/", 60_000],
  ["test/simulation/", 40_000],
  ["test/hostile/", 40_000],
  // They start processes.
  ["test/adapters/store/", 15_000],
  ["test/sandbox/tests/", 10_000],
  ["test/adapters/shipping/slots/", 10_000],
  // They play weeks.
  ["test/shop/", 8_000],
  ["test/scenarios/shop/", 8_000],
  ["test/scenarios/worker/", 8_000],
] as const;
const MS_A_BYTE = 0.2;

/**
 * The files that take longest begin first, or the last of them would run alone. How long each took is what Vitest kept of its last run
 * (`.cache/vite`).
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
      .map((file) => ({ file, ms: this.tookMs(file) }))
      .sort((a, b) => b.ms - a.ms)
      .map(({ file }) => file);
  }

  private tookMs({ project, moduleId }: TestSpecification): number {
    const { cache, config } = this.ctx;
    const path = relative(config.root, moduleId);
    const key = `${project.name}:${path}`;
    const duration = cache.getFileTestResults(key)?.duration;
    if (duration) return duration;
    const [, folderMs] = FOLDERS_MS.find(([folder]) => path.startsWith(folder)) ?? ["", 0];
    return folderMs + (cache.getFileStats(key)?.size ?? 0) * MS_A_BYTE;
  }
}
