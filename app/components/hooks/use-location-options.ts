import { useRowsInTurn } from "./use-rows-in-turn.ts";

/** A select's options for locations. The chosen one is there at the first render; the others, perhaps a thousand, follow. */
export function useLocationOptions(
  locations: { locationId: string; name: string }[],
  chosen: string | null,
): { value: string; label: string }[] {
  const shown = useRowsInTurn(locations, 0);
  const offered = shown.length > 0 ? shown : locations.filter(({ locationId }) => locationId === chosen);
  return offered.map(({ locationId, name }) => ({ value: locationId, label: name }));
}
