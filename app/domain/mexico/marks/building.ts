import { fold } from "../../address/fold.ts";
import { wordAt } from "../labels.ts";
import type { Line } from "../tokens.ts";
import { NAMED_BUILDINGS } from "../words.ts";

/** A wholesale market, which is a building beside a colonia and else the colonia. */
export const isMarket = (text: string): boolean => /^central de abastos?$/.test(fold(text));

/** Two words that begin the name of a building, or of a place with many. */
const PAIRS = new Set(["centro comercial", "parque industrial", "central de"]);

/** Whether the words at a token likely name a building: a plaza, a tower, a market. */
export const isBuilding = (line: Line, { from }: { from: number }): boolean =>
  NAMED_BUILDINGS.has(wordAt(line, from)) || PAIRS.has(`${wordAt(line, from)} ${wordAt(line, from + 1)}`);
