import { AppError } from "../../app/domain/errors.ts";
import type { PostalEdition, PostalFacts } from "../../app/domain/mexico/postal-codes.ts";
import type { PostalCodes } from "../../app/ports.ts";

/** The list of postal codes of a database in memory; every process of it opens it for itself, and a dead one gets no answer. */
export function createMemoryPostalCodes(): { open(isDead: () => boolean): PostalCodes } {
  let current: { edition: PostalEdition; facts: Map<string, PostalFacts> } | null = null;
  let begun = 0;
  const open = (isDead: () => boolean): PostalCodes => {
    const answer = async <T>(work: () => T): Promise<T> => {
      await Promise.resolve();
      return isDead() ? new Promise<never>(() => undefined) : structuredClone(work());
    };
    return {
      find: (code) => answer(() => current?.facts.get(code) ?? null),
      findAll: (codes) =>
        answer(
          () =>
            new Map(
              codes.flatMap((code): [string, PostalFacts][] => {
                const facts = current?.facts.get(code);
                return facts ? [[code, facts]] : [];
              }),
            ),
        ),
      edition: () => answer(() => current?.edition ?? null),
      async replace({ source, importedAtMs, codes, onProgress }) {
        const number = await answer(() => (begun = Math.max(begun, current?.edition.number ?? 0) + 1));
        const settlements = codes.reduce((sum, each) => sum + each.settlements.length, 0);
        const edition = { number, source, importedAtMs, codes: codes.length, settlements };
        const facts = new Map(structuredClone(codes).map((each) => [each.code, each]));
        if (facts.size < codes.length) throw new AppError({ kind: "internal", message: "store: a code comes twice" });
        onProgress?.(codes.length);
        await answer(() => {
          if (begun !== number) throw new AppError({ kind: "superseded", message: "another import began" });
          current = { edition, facts };
        });
        return edition;
      },
    };
  };
  return { open };
}
