import { context } from "./admin.ts";

/** What an extension stores in this browser: its targets share it, in every page, across reloads; no other extension sees it. */
export function extensionStorage(extension: string) {
  const prefix = `extension ${context.handle} ${extension} `;
  return (operation: "get" | "set" | "delete" | "entries" | "clear", key = "", value = ""): unknown => {
    const own = (): string[] => Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    switch (operation) {
      case "get":
        return localStorage.getItem(prefix + key) ?? undefined;
      case "set":
        return localStorage.setItem(prefix + key, value);
      case "delete": {
        const existed = localStorage.getItem(prefix + key) !== null;
        localStorage.removeItem(prefix + key);
        return existed;
      }
      case "entries":
        return own().map((name) => [name.slice(prefix.length), localStorage.getItem(name)]);
      case "clear":
        return own().forEach((name) => localStorage.removeItem(name));
    }
  };
}
