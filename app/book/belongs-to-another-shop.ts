import type { ConnectionRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** Two shops may share an account: a template that stands for another shop's location is that shop's to change. */
export async function belongsToAnotherShop(
  tables: Pick<Tables, "links">,
  { shop, environment }: Pick<ConnectionRecord, "shop" | "environment">,
  templateId: string,
): Promise<boolean> {
  return (await tables.links.count({ environment, templateId, shop: { not: shop } })) > 0;
}
