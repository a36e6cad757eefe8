/** What a form is answered that was not taken, because its shop sent more than its share (`http/fair-share.ts`): it may be sent again as it is. */
export interface TooMany {
  /** After how many seconds another try may succeed. */
  tooManyForS: number;
  /** So much was saved that it is not for a moment: the store's share of a day is used up. */
  isStored: boolean;
}

/**
 * What stands in place of an answer of the app's that did not come: the app was away, or its answer was cut. Whether the request arrived is
 * not known. It may be sent again as it is.
 */
export interface Unanswered {
  unanswered: true;
}

/** Why a form changed nothing as far as is known. */
export type NotTaken = TooMany | Unanswered;

export const UNANSWERED: Unanswered = { unanswered: true };

export function isTooMany(answer: unknown): answer is TooMany {
  return typeof answer === "object" && answer !== null && "tooManyForS" in answer;
}

export function isUnanswered(answer: unknown): answer is Unanswered {
  return typeof answer === "object" && answer !== null && "unanswered" in answer;
}

export function isNotTaken(answer: unknown): answer is NotTaken {
  return isTooMany(answer) || isUnanswered(answer);
}
