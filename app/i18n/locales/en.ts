import polaris from "../../polaris/words/en.ts";
import { byNamespace } from "./namespaces.ts";
import type { LanguageResources } from "./namespaces.ts";

const messages = byNamespace(import.meta.glob<object>("./en/*.json", { eager: true, import: "default" }));

export default { messages, polaris } satisfies LanguageResources;
