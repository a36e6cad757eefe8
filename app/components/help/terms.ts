/** Words of the app that the help page explains, in its order. */
export const HELP_TERMS = ["origin", "book", "link", "verification", "difference", "pause"] as const;

export type HelpTerm = (typeof HELP_TERMS)[number];

/** What store owners ask, in the help page's order. */
export const HELP_QUESTIONS = ["refused", "changed", "unsaved", "address", "undo"] as const;
