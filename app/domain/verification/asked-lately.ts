/** Nobody was asked, because all of them were asked a while ago and are at it. */
export interface AskedLately {
  kind: "asked_lately";
  /** From when on the first of them can be asked again. */
  againAtMs: number;
}
