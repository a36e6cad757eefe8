import type { ReviewAnswer, ReviewIntent } from "../../components/review/review-intent.ts";
import type { ReviewedRow } from "../../jobs/confirm-row.ts";
import { confirmReview } from "../../jobs/confirm-review.ts";
import { excludeOrigin } from "../../origins/exclude-origin.ts";
import { takeBackExclusion } from "../../origins/take-back-exclusion.ts";
import type { Services } from "../../ports.ts";

/** The commands of Review, one call each; null when the shop has no such location. */
export async function perform(
  services: Services,
  { shop, asked }: { shop: string; asked: ReviewIntent },
): Promise<ReviewAnswer | null> {
  switch (asked.intent) {
    case "confirm": {
      const { contact, contactRevision } = asked;
      return confirmReview(services, { shop, contact, contactRevision, rows: asked.rows.map(reviewedRow) });
    }
    case "exclude": {
      const { locationId } = asked;
      const ended = await excludeOrigin(services, { shop, locationId });
      return ended === "excluded" ? { kind: ended, locationId } : null;
    }
    case "includeAgain": {
      const ended = await takeBackExclusion(services, { shop, locationId: asked.locationId });
      return ended.kind === "done" ? { kind: "includedAgain" } : null;
    }
  }
}

/** A row of the table as details. The location's own contact stays, because the table does not show it. */
function reviewedRow({
  values: split,
  ...rest
}: Extract<ReviewIntent, { intent: "confirm" }>["rows"][number]): ReviewedRow {
  return { ...rest, contact: {}, split };
}
