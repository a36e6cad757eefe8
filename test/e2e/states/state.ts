import type { LocationInput } from "../../sandbox/admin/locations.ts";
import type { StateStore } from "./state-store.ts";

/** One state in which a store may be, and how it comes about. */
export interface State {
  /** What is the case. */
  is: string;
  locations: LocationInput[];
  /** How far the owner has come by the app's own pages: nothing done, connected, or all locations saved in the account. */
  from: "installed" | "connected" | "saved";
  /** Saved a moment ago: nobody has opened Home since, where the first steps still are. Else they were put away. */
  isNew?: true;
  /** The location whose page and template are opened; the first where none is named. */
  about?: string;
  /** After that; returns when the app knows it. */
  bring?(store: StateStore): Promise<unknown>;
}
