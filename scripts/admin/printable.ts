/**
 * A line without what a terminal obeys: escape sequences, line breaks, marks that turn the direction of writing. What the shipping service and
 * owners say stands in these lines, and could forge others, or write into the operator's clipboard.
 */
export function printable(line: string): string {
  return line.replace(/[\p{C}\u2028\u2029]/gu, "\ufffd");
}
