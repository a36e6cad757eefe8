import polaris from "@shopify/polaris/locales/es.json";
import type { LanguageResources } from "../i18n.ts";
import { byNamespace } from "./namespaces.ts";

const messages = byNamespace(import.meta.glob<object>("./es-MX/*.json", { eager: true, import: "default" }));

export default { messages, polaris } satisfies LanguageResources;
