/** Which operation a request line names (docs/shipping-interface.md, 4). */
export const ENVIRONMENTS = ["test", "production"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** The nine operations of docs/shipping-interface.md, 4, in its order. */
export const OPERATIONS = [
  "list",
  "get",
  "create",
  "update",
  "delete",
  "verify",
  "token",
  "revoke",
  "introspect",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Route {
  environment: Environment | null;
  operation: Operation | "unknown";
  templateId: string;
  query: URLSearchParams;
}

const BOOK = "/api/v1/address_templates";
const NO_QUERY = new URLSearchParams();

export function routeOf(method: string, target: string): Route {
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
  const environment = ENVIRONMENTS.find((name) => path.startsWith(`/${name}/`)) ?? null;
  const inside = environment ? path.slice(environment.length + 1) : path;
  const found = environment ? operationOf(method, inside) : null;
  return { environment, operation: found?.operation ?? "unknown", templateId: found?.templateId ?? "", query };
}

function operationOf(method: string, path: string): { operation: Operation; templateId: string } | null {
  if (path === BOOK) {
    if (method === "GET") return { operation: "list", templateId: "" };
    return method === "POST" ? { operation: "create", templateId: "" } : null;
  }
  if (path.startsWith(`${BOOK}/`)) return templateOperation(method, path.slice(BOOK.length + 1).split("/"));
  if (method !== "POST") return null;
  if (path === "/api/v1/oauth/token") return { operation: "token", templateId: "" };
  if (path === "/api/v1/oauth/revoke") return { operation: "revoke", templateId: "" };
  return path === "/api/v1/oauth/introspect" ? { operation: "introspect", templateId: "" } : null;
}

function templateOperation(method: string, [encoded = "", action, ...rest]: string[]) {
  const templateId = decoded(encoded);
  if (!templateId || rest.length > 0) return null;
  if (action === "verify_by_carriers") return method === "POST" ? { operation: "verify" as const, templateId } : null;
  if (action !== undefined) return null;
  if (method === "GET") return { operation: "get" as const, templateId };
  if (method === "PATCH") return { operation: "update" as const, templateId };
  return method === "DELETE" ? { operation: "delete" as const, templateId } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
