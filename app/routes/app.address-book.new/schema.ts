import { saveIntent } from "../app.address-book.$templateId/schema.ts";

/** There is nothing yet to delete, to verify or to read again: a new template can only be saved. */
export const newTemplateIntent = saveIntent;
