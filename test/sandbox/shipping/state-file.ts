/** Keeps what a real service would still know after a restart: templates, tokens, and how far chance was drawn. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { StoredTemplate } from "./address-book.ts";
import type { Token } from "./tokens.ts";
import type { World } from "./world.ts";

const WRITE_AFTER_MS = 200;

interface KeptState {
  resets: number;
  chance: Record<string, number>;
  tokens: Token[];
  templates: StoredTemplate[];
}

export interface StateFile {
  /** Resets before this start; 0 for a new file. */
  resets: number;
  /** Puts back what the file holds. */
  restore(world: World): void;
  /** Writes soon; changes close together are written once. */
  changed(current: () => CurrentState): void;
  /** Writes at once what is not written yet. */
  flush(): void;
}

interface CurrentState {
  world: World;
  resets: number;
}

export function openStateFile(path: string | undefined): StateFile {
  const kept: KeptState | null = path && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
  let timer: NodeJS.Timeout | null = null;
  let unwritten: (() => CurrentState) | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (!path || !unwritten) return;
    const { world, resets } = unwritten();
    unwritten = null;
    const state: KeptState = {
      resets,
      chance: world.chance.state(),
      tokens: world.tokens.all(),
      templates: world.book.all(),
    };
    writeFileSync(`${path}.new`, JSON.stringify(state));
    renameSync(`${path}.new`, path);
  }

  return {
    resets: kept?.resets ?? 0,
    restore(world) {
      if (!kept) return;
      world.chance.restore(kept.chance);
      world.tokens.restore(kept.tokens);
      world.book.restore(kept.templates);
    },
    changed(current) {
      if (!path) return;
      unwritten = current;
      timer ??= setTimeout(flush, WRITE_AFTER_MS);
    },
    flush,
  };
}
