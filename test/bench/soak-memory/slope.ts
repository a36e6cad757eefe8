/** A straight line through points by least squares, and between what its slope lies in 95 of 100 such runs. */
export interface Slope {
  slope: number;
  low: number;
  high: number;
}

/**
 * Neighbours in time are alike, so that points say less than their number: the error is widened by how alike they are (the first
 * autocorrelation of what the line leaves over).
 * @throws where there are too few points for a line.
 */
export function slopeOf(points: readonly (readonly [number, number])[]): Slope {
  const count = points.length;
  if (count < 8) throw new Error(`${count} points are too few for a slope`);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const left = points.map(([x, y]) => y - meanY - slope * (x - meanX));
  const squares = left.reduce((sum, each) => sum + each ** 2, 0);
  const pairs = left.slice(1).reduce((sum, each, index) => sum + each * left[index]!, 0);
  const alike = squares === 0 ? 0 : Math.min(0.95, Math.max(0, pairs / squares));
  const independent = Math.max(3, count * ((1 - alike) / (1 + alike)));
  const error = Math.sqrt(squares / Math.max(1, independent - 2) / spread);
  const margin = studentAt975(independent - 2) * error;
  return { slope, low: slope - margin, high: slope + margin };
}

/** Student's t, two-sided at 95 %, by an expansion around the normal distribution; within 1 % from three degrees of freedom on. */
function studentAt975(freedom: number): number {
  const [z, f] = [1.959_964, Math.max(3, freedom)];
  return (
    z +
    (z ** 3 + z) / (4 * f) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * f ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * f ** 3)
  );
}
