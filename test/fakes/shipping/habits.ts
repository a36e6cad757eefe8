/** The service's behaviour where the interface leaves it open. */
export interface Habits {
  /** A partial address empties the fields that it does not name. */
  wipes: boolean;
  /** Text is trimmed and its runs of white space folded. */
  tidies: boolean;
  /** Carriers that do not verify. */
  refuses: string[];
  /** The answer for such a carrier; with the interface's code unless a test gives another. */
  refusal?: { status: number; body: string };
  /** The order of lists; the oldest first unless given. */
  order?: "oldest" | "newest";
  /** Longer aliases are cut. */
  aliasLength?: number;
  /** Some fields come back in capitals. */
  capitals?: boolean;
  /** A carrier that has an entry and is asked again answers with the same status and the same id. */
  repeatsItself?: boolean;
  /** Counts come as text. */
  textNumbers?: boolean;
  /** Operations whose answers show ids in capitals. */
  capitalIds?: readonly string[];
  /** A template is found by its id in capitals alone; where this is false, by an id in any letters. */
  findsCapitalsAlone?: boolean;
  /** Every body begins with a byte-order mark. */
  byteOrderMark?: boolean;
}
