import { saveIntent } from "../app.address-book.$templateId/schema.ts";

/** A new template can only be saved: there is nothing to delete, verify or read again. */
export const newTemplateIntent = saveIntent;
