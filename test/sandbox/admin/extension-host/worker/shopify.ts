import type { PageServices, WorkerStart } from "../protocol.ts";
import type { Remote } from "../rpc.ts";

/** The `shopify` global of the targets of order pages. What a target does not have is not there. */

type Callback = (api: object) => unknown;

export function createShopify(start: WorkerStart, page: Remote<PageServices>) {
  const callbacks = new Map<string, Callback>();
  const { target, selected } = start;
  const api = {
    extension: { target },
    auth: { idToken: () => page.sessionToken() },
    data: { selected },
    i18n: createI18n(start),
    storage: createStorage(page),
    query: (query: string, { variables = {} }: { variables?: object } = {}) => page.graphql({ query, variables }),
    ...(target.endsWith(".block.render") && {
      navigation: { navigate: (url: string | URL) => void page.navigate(String(url)) },
    }),
    ...(/[.-]action\.render$/.test(target) && { close: () => void page.close() }),
    /** How a bundle names what it has for a target. */
    extend: (name: string, callback: Callback) => void callbacks.set(name, callback),
  };
  return {
    api,
    async run(): Promise<unknown> {
      const callback = callbacks.get(target);
      if (!callback) throw new Error(`The bundle has nothing for ${target}`);
      return callback(api);
    },
  };
}

function createI18n({ locale, words }: WorkerStart) {
  const find = (key: string): unknown =>
    key.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], words);
  return {
    formatNumber: (value: number | bigint, options?: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(locale, options).format(value),
    formatCurrency: (value: number | bigint, options?: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(locale, { style: "currency", currency: "MXN", ...options }).format(value),
    formatDate: (date: Date, options?: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, options).format(date),
    translate(key: string, values: Record<string, unknown> = {}) {
      const plural = typeof values.count === "number" ? new Intl.PluralRules(locale).select(values.count) : null;
      const found = (plural && find(`${key}.${plural}`)) ?? find(key);
      if (typeof found !== "string") throw new Error(`No translation for "${key}" in ${locale}`);
      return found.replace(/\{\{\s*(\w+)\s*\}\}/g, (_whole, name: string) => String(values[name] ?? ""));
    },
  };
}

function createStorage(page: Remote<PageServices>) {
  const get = async (key: string): Promise<unknown> => {
    const text = await page.storage("get", key);
    return typeof text === "string" ? JSON.parse(text) : undefined;
  };
  const set = async (key: string, value: unknown): Promise<void> =>
    void (await page.storage("set", key, JSON.stringify(value)));
  const remove = (key: string): Promise<unknown> => page.storage("delete", key);
  return {
    get,
    set,
    getMany: (keys: string[]) => Promise.all(keys.map(get)),
    setMany: async (entries: Record<string, unknown>) => {
      for (const [key, value] of Object.entries(entries)) await set(key, value);
    },
    delete: remove,
    deleteMany: async (keys: string[]) => {
      const existed: Record<string, unknown> = {};
      for (const key of keys) existed[key] = await remove(key);
      return existed;
    },
    entries: async () => {
      const entries = (await page.storage("entries")) as [string, string][];
      return entries.map(([key, text]) => [key, JSON.parse(text) as unknown]).values();
    },
    clear: () => page.storage("clear"),
  };
}
