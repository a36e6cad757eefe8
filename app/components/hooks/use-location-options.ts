import { useRowsInTurn } from "./use-rows-in-turn.ts";

/** A select's options for locations; the chosen one first, the others, perhaps a thousand, once the page stands. */
export function useLocationOptions(
  locations: { locationId: string; name: string }[],
  chosen: string | null,
): { value: string; label: string }[] {
  const shown = useRowsInTurn(locations, 0);
  const offered = shown.length > 0 ? shown : locations.filter(({ locationId }) => locationId === chosen);
  return offered.map(({ locationId, name }) => ({ value: locationId, label: name }));
}
