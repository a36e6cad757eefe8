import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** A file that has never run here is guessed: one with a browser takes a minute, any other a second for each five kilobytes. */
const BROWSER_MS = 60_000;
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
    const key = `${project.name}:${relative(config.root, moduleId)}`;
    const duration = cache.getFileTestResults(key)?.duration;
    if (duration) return duration;
    return project.name === "e2e" ? BROWSER_MS : (cache.getFileStats(key)?.size ?? 0) * MS_A_BYTE;
  }
}
