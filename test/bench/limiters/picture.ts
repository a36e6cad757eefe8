/** The picture of docs/beside-others.md: two bars for each limiter. Its title and description say in words what the bars show. */

export interface Bars {
  words: string;
  /** Sliding seconds with more than two arrivals, each minute. */
  overEachMinute: number;
  /** Arrivals, each second. */
  eachSecond: number;
}

const ROW = 30;
const TOP = 64;
const NAMES = 200;
const WIDEST = 220;
const GAP = 90;
const WIDTH = NAMES + 2 * (WIDEST + GAP);
const RED = "#b42318";
const BLUE = "#175cd3";

export function pictureOf(bars: Bars[], { longestDelayMs }: { longestDelayMs: number }): string {
  const height = TOP + bars.length * ROW + 16;
  const second = NAMES + WIDEST + GAP;
  const mostOver = Math.max(1, ...bars.map(({ overEachMinute }) => overEachMinute));
  const mostEach = Math.max(2, ...bars.map(({ eachSecond }) => eachSecond));
  const rows = bars.map(({ words, overEachMinute, eachSecond }, index) => {
    const y = TOP + index * ROW;
    return [
      text({ x: NAMES - 12, y: y + 14, anchor: "end", words }),
      bar({ x: NAMES, y, width: (overEachMinute / mostOver) * WIDEST, fill: RED, figure: overEachMinute.toFixed(0) }),
      bar({ x: second, y, width: (eachSecond / mostEach) * WIDEST, fill: BLUE, figure: eachSecond.toFixed(2) }),
    ].join("\n");
  });
  const said = bars.map(
    ({ words, overEachMinute, eachSecond }) =>
      `${words}: ${overEachMinute.toFixed(0)} a minute, ${eachSecond.toFixed(2)} calls a second.`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">
<title id="title">Limiters set to two calls a second, before a network that takes 0 to ${longestDelayMs} ms</title>
<desc id="description">Sliding seconds with more than two arrivals, and calls a second. ${said.join(" ")}</desc>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${text({ x: NAMES, y: 28, anchor: "start", words: "Seconds with more than 2 arrivals," })}
${text({ x: NAMES, y: 46, anchor: "start", words: "each minute (fewer is better)" })}
${text({ x: second, y: 28, anchor: "start", words: "Calls a second" })}
${text({ x: second, y: 46, anchor: "start", words: "(more is better)" })}
${rows.join("\n")}
</svg>
`;
}

function bar(at: { x: number; y: number; width: number; fill: string; figure: string }): string {
  const { x, y, width, fill, figure } = at;
  const drawn = `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="20" fill="${fill}"/>`;
  return drawn + text({ x: Math.round(x + width) + 6, y: y + 14, anchor: "start", words: figure });
}

function text({ x, y, anchor, words }: { x: number; y: number; anchor: "start" | "end"; words: string }): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#1a1a1a">${words}</text>`;
}
