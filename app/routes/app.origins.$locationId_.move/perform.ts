import type { MoveIntent } from "../../components/move/move-intent.ts";
import { placeIn } from "../../domain/address/place.ts";
import { cancelMove, changeDay, makeComingAgain, planMove, pressMove } from "../../moves/change-move.ts";
import { settleHeld } from "../../moves/settle-held.ts";
import type { Services } from "../../ports.ts";

/** The commands of a move's page, one call each. */
export function perform(
  services: Services,
  { shop, locationId, asked }: { shop: string; locationId: string; asked: MoveIntent },
) {
  const one = { shop, locationId };
  switch (asked.intent) {
    case "plan": {
      const { hour, keepFormer } = asked;
      return planMove(services, { ...one, plan: { place: placeIn(asked.place), hour, keepFormer } });
    }
    case "day":
      return changeDay(services, { ...one, day: { hour: asked.hour, keepFormer: asked.keepFormer } });
    case "press":
      return pressMove(services, { ...one, anyway: asked.anyway });
    case "again":
      return makeComingAgain(services, one);
    case "cancel":
      return cancelMove(services, one);
    case "settle":
      return settleHeld(services, { ...one, keep: asked.keep, revision: asked.revision, readFrom: asked.readFrom });
  }
}
