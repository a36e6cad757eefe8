import { placeOf } from "./address/compare.ts";
import type { Place } from "./address/compare.ts";
import { markerIn } from "./marker.ts";
import type { AddressTemplate } from "./records.ts";

/** A template with what is compared of it, computed once. */
export interface IndexedTemplate {
  template: AddressTemplate;
  place: Place;
  /** The marker in its alias. */
  marker: string | null;
}

/** Finds the templates that have something in common with a location. Comparing every location with every template would take too long. */
export interface TemplateIndex {
  /** The templates with a marker, or with a postal code, in the order in which they were added. */
  marked(marker: string): readonly IndexedTemplate[];
  of(postalCode: string): readonly IndexedTemplate[];
}

export interface GrowingTemplateIndex extends TemplateIndex {
  readonly size: number;
  add(template: AddressTemplate): void;
}

/** The same templates but for some. */
export function withoutTemplates(index: TemplateIndex, templateIds: ReadonlySet<string>): TemplateIndex {
  const others = (found: readonly IndexedTemplate[]) => found.filter(({ template }) => !templateIds.has(template.id));
  return {
    marked: (marker) => others(index.marked(marker)),
    of: (postalCode) => others(index.of(postalCode)),
  };
}

export function createTemplateIndex(templates: Iterable<AddressTemplate> = []): GrowingTemplateIndex {
  const byMarker = new Map<string, IndexedTemplate[]>();
  const byPostalCode = new Map<string, IndexedTemplate[]>();
  let size = 0;

  const add = (template: AddressTemplate): void => {
    const indexed = { template, place: placeOf(template.address), marker: markerIn(template.alias_name) };
    size += 1;
    addTo(byPostalCode, indexed.place.postalCode, indexed);
    if (indexed.marker !== null) addTo(byMarker, indexed.marker, indexed);
  };

  for (const template of templates) add(template);
  return {
    get size() {
      return size;
    },
    add,
    marked: (marker) => byMarker.get(marker) ?? [],
    of: (postalCode) => byPostalCode.get(postalCode) ?? [],
  };
}

function addTo<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
