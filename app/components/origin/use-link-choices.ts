import { useState } from "react";
import { choicesIn, withChoices } from "../../domain/plan/adoption-choices.ts";
import type { AdoptedField, AdoptionChoices, Side } from "../../domain/plan/adoption-choices.ts";
import type { ContactField } from "../../domain/address/form-fields.ts";
import type { LinkPreview } from "../../views/origin.ts";
import type { OriginIntent } from "./origin-intent.ts";

export type LinkIntent = Extract<OriginIntent, { intent: "link" }>;

export interface LinkChoices {
  /** The contact as it would be, by what is chosen so far. */
  contact: AdoptedField[];
  choose(field: ContactField, side: Side): void;
}

/** What the owner chooses between a template's contact and the location's, before the two are linked. Another content begins anew. */
export function useLinkChoices(preview: LinkPreview | null): LinkChoices {
  const seen = preview && `${preview.templateId} ${preview.version} ${preview.ownVersion}`;
  const [made, setMade] = useState<{ of: string | null; choices: AdoptionChoices }>({ of: seen, choices: {} });
  const choices = made.of === seen ? made.choices : {};
  return {
    contact: withChoices(preview?.contact ?? [], choices),
    choose: (field, side) => setMade({ of: seen, choices: { ...choices, [field]: side } }),
  };
}

/** The command to link, with everything that it rests on: what was shown, and what stays. */
export function linkIntent({ templateId, version, ownVersion }: LinkPreview, contact: AdoptedField[]): LinkIntent {
  return { intent: "link", templateId, templateVersion: version, ownVersion, choices: choicesIn(contact) };
}
