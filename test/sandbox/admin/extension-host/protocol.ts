// The messages between the admin's page, its server and an extension's worker. Types only.

/** The parts of an element that cross from the worker; anything else is refused. */
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

/** What the server sends a page about the installed app's extensions. */
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

/** What a worker gets before it loads its bundle. */
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

/** The functions of the page that the worker may call. */
export interface PageServices {
  mutate(records: unknown[]): void;
  sessionToken(): Promise<string>;
  graphql(body: unknown): Promise<unknown>;
  navigate(url: string): void;
  close(): void;
  /** Reports an error of the extension that nobody caught. */
  fail(message: string): void;
  storage(operation: "get" | "set" | "delete" | "entries" | "clear", key?: string, value?: string): Promise<unknown>;
}

/** The functions of the worker that the page may call. */
export interface WorkerServices {
  start(options: WorkerStart): Promise<unknown>;
  /** Calls a function that crossed in a record. */
  invoke(id: number, detail: unknown): void;
}
