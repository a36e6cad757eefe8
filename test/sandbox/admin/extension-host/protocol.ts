// What the admin's page, its server and an extension's worker say to one another. Types only.

/** What of an element crosses from the worker; anything else is refused. */
export interface ElementPolicy {
  properties: string[];
  events: string[];
  slots: string[];
}

export interface ElementList {
  /** Target to the elements it may draw. */
  targets: Record<string, string[]>;
  elements: Record<string, ElementPolicy>;
}

/** An extension's place on a page. */
export interface ExtensionView {
  handle: string;
  /** In the admin's language, as all words here. */
  name: string;
  target: string;
  /** The bundle's address on the admin. */
  script: string;
  /** The bundle that decides whether the action is offered. */
  condition: string | null;
}

export interface LinkView {
  target: string;
  text: string;
  /** `app:` or `shopify:admin` address. */
  url: string;
}

/** What the server tells a page of the installed app's extensions. */
export interface Manifest {
  extensions: ExtensionView[];
  links: LinkView[];
  locale: string;
  /** Extension handle to its words. */
  words: Record<string, object>;
  appUrl: string;
  /** Versions of the Admin API that the direct API answers. */
  apiVersions: string[];
  elements: ElementList;
}

/** What a worker is told before it loads its bundle. */
export interface WorkerStart {
  target: string;
  /** Absolute. */
  script: string;
  selected: { id: string }[];
  locale: string;
  words: object;
  appUrl: string;
  apiVersions: string[];
  elements: Record<string, ElementPolicy>;
}

/** What the worker may ask of the page. */
export interface PageServices {
  mutate(records: unknown[]): void;
  sessionToken(): Promise<string>;
  graphql(body: unknown): Promise<unknown>;
  navigate(url: string): void;
  close(): void;
  /** Something the extension did threw and nobody caught it. */
  fail(message: string): void;
  storage(operation: "get" | "set" | "delete" | "entries" | "clear", key?: string, value?: string): Promise<unknown>;
}

/** What the page may ask of the worker. */
export interface WorkerServices {
  start(options: WorkerStart): Promise<unknown>;
  /** Calls a function that crossed in a record. */
  invoke(id: number, detail: unknown): void;
}
