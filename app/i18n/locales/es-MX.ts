import polaris from "../../polaris/words/es.ts";
import { byNamespace } from "./namespaces.ts";
import type { LanguageResources } from "./namespaces.ts";

const messages = byNamespace(import.meta.glob<object>("./es-MX/*.json", { eager: true, import: "default" }));

export default { messages, polaris } satisfies LanguageResources;
