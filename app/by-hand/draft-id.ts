import type { Services } from "../ports.ts";

/**
 * The id under which a shop's draft is kept. A page makes a draft's id before it sends its form, so a form may bring any. One that another
 * shop has already says nothing of that: here it is a draft of its own, under an id of its own.
 */
export async function draftIdOf(
  { store }: Pick<Services, "store">,
  { shop, draftId }: { shop: string; draftId: string },
): Promise<string> {
  const known = await store.drafts.find({ id: draftId });
  return known === null || known.shop === shop ? draftId : `${shop} ${draftId}`;
}
