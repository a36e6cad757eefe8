/** A page of Prometheus's text format, by series with its labels. */
export type Samples = Map<string, number>;

export function samplesOf(page: string): Samples {
  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}
