import { markerOf } from "../../../app/domain/marker.ts";
import type { BookView } from "../../../app/views/address-book.ts";
import { accountOf, connectionOf, templateOf } from "../people/stage.ts";
import type { At, Stage } from "../people/stage.ts";
import { listsWereEmpty } from "./unknowable.ts";
import type { Pages } from "../story/pages.ts";

/**
 * Templates that were made for a location, are not linked to it, and are not shown on the address book's page. One that the owner of another
 * shop of the account has linked is that shop's by now, whose pages show it: a shop's page leaves out what stands for another shop's
 * location.
 */
export async function hiddenExtras(stage: Stage, pages: Pages): Promise<string[]> {
  const words: string[] = [];
  if (listsWereEmpty(stage.scenery.weather)) return words;
  for (const { shop, locationIds } of stage.scenery.shops) {
    if (stage.known.away.has(shop) || connectionOf(stage, shop)?.state !== "active") continue;
    const extras = locationIds.flatMap((locationId) => extrasOf(stage, { shop, locationId }));
    const book = extras.length > 0 ? await pages.book(shop) : null;
    for (const { templateId, locationId } of extras)
      if (book && !isShown(stage, book, templateId))
        words.push(`${templateId} was made for ${locationId} and does not stand for it, and no page shows it`);
  }
  return words;
}

function extrasOf(stage: Stage, at: At): { templateId: string; locationId: string }[] {
  const account = accountOf(stage, at.shop);
  const marker = markerOf(at.shop, at.locationId);
  const linked = templateOf(stage, at);
  return [...(account?.madeFor ?? [])]
    .filter(([templateId, of]) => of === marker && templateId !== linked && account!.templates.has(templateId))
    .filter(([templateId]) => !isOfAnotherShop(stage, { shop: at.shop, templateId }))
    .map(([templateId]) => ({ templateId, locationId: at.locationId }));
}

function isOfAnotherShop(stage: Stage, { shop, templateId }: { shop: string; templateId: string }): boolean {
  const others = stage.scenery.shops.filter((each) => each.shop !== shop);
  return others.some((other) =>
    other.locationIds.some((locationId) => templateOf(stage, { shop: other.shop, locationId }) === templateId),
  );
}

/**
 * Whether the page shows the template. It names a row that cannot be read, too; of a row without an id it can only say that there is one.
 */
function isShown({ malformed, scenery }: Stage, { rows, unreadable }: BookView, templateId: string): boolean {
  const saysNoId = malformed.has(templateId) && scenery.malformed?.how === "no_object";
  if (saysNoId && unreadable.some((row) => row.templateId === null)) return true;
  return rows.some((row) => row.templateId === templateId) || unreadable.some((row) => row.templateId === templateId);
}
