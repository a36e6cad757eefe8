import { DOMRemoteReceiver } from "@remote-dom/core/receivers";
import type { ElementPolicy, ExtensionView, Manifest, PageServices, WorkerServices } from "../protocol.ts";
import { talk } from "../rpc.ts";
import { askAdmin } from "./admin.ts";
import { extensionStorage } from "./extension-storage.ts";

const FUNCTION_MARK = "@function";

/**
 * A frame with an opaque origin: it has no storage, no cookies and no access to another document. It only starts the worker and hands on
 * the port.
 */
const FRAME = `<!doctype html><script>
  addEventListener("message", ({ data, ports }) => {
    const worker = new Worker(URL.createObjectURL(new Blob([data], { type: "text/javascript" })));
    worker.postMessage(null, ports);
  }, { once: true });
</script>`;

export interface RunOptions {
  manifest: Manifest;
  extension: ExtensionView;
  /** `extension.target`, or its condition's. */
  target: string;
  script: string;
  /** The ids of the orders that the page is about, or that are selected in its list. */
  selected: string[];
  root: Element;
  navigate: (url: string) => void;
  close: () => void;
  fail: (message: string) => void;
}

export interface Running {
  /** What the target's function returned. */
  result: Promise<unknown>;
  stop: () => void;
}

/** Runs a bundle for one target in a worker of its own; what it draws appears below `root`. */
export function runExtension(options: RunOptions): Running {
  const { manifest, extension, target, script, selected } = options;
  const elements = elementsFor(manifest, extension.target);
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.title = "";
  frame.srcdoc = FRAME;
  const { port1, port2 } = new MessageChannel();
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.body.append(frame);
  const worker = talk<WorkerServices>(
    port1,
    servicesFor(options, elements, (id, detail) => void worker.invoke(id, detail)),
  );
  const begin = async (): Promise<unknown> => {
    const [source] = await Promise.all([
      fetch("/extension-host/worker.js").then((response) => response.text()),
      loaded,
    ]);
    frame.contentWindow!.postMessage(source, "*", [port2]);
    const words = manifest.words[extension.handle] ?? {};
    const { locale, appUrl, apiVersions } = manifest;
    return worker.start({
      target,
      script: new URL(script, location.href).href,
      selected: selected.map((id) => ({ id })),
      locale,
      words,
      appUrl,
      apiVersions,
      elements,
    });
  };
  return {
    result: begin(),
    stop: () => {
      frame.remove();
      port1.close();
    },
  };
}

function elementsFor({ elements }: Manifest, target: string): Record<string, ElementPolicy> {
  return Object.fromEntries((elements.targets[target] ?? []).map((tag) => [tag, elements.elements[tag]!]));
}

type Invoke = (id: number, detail: unknown) => void;

function servicesFor(options: RunOptions, elements: Record<string, ElementPolicy>, invoke: Invoke): PageServices {
  const { extension, root, navigate, close, fail } = options;
  const receiver = new DOMRemoteReceiver({ root, elements: receiverPolicies(elements) });
  const slots = createSlotGuard(root, elements);
  const store = extensionStorage(extension.handle);
  return {
    mutate(records) {
      try {
        receiver.connection.mutate(live(records, invoke) as never);
        slots();
      } catch (error) {
        fail((error as Error).message);
      }
    },
    sessionToken: async () => (await askAdmin<{ token: string }>("session-token")).token,
    graphql: (body) => askAdmin("graphql", body),
    navigate,
    close,
    fail,
    storage: async (operation, key, value) => store(operation, key, value),
  };
}

/** Allows only what Shopify's types give an element: of attributes its slot only, and no method. */
function receiverPolicies(elements: Record<string, ElementPolicy>) {
  return Object.fromEntries(
    Object.entries(elements).map(([tag, { properties, events }]) => [
      tag,
      {
        properties: Object.fromEntries(properties.map((name) => [name, { attribute: false }])),
        attributes: ["slot"],
        events: Object.fromEntries(events.map((name) => [name, {}])),
        methods: [],
      },
    ]),
  );
}

/** @throws when an element asks for a slot that its parent does not have. */
function createSlotGuard(root: Element, elements: Record<string, ElementPolicy>): () => void {
  return () => {
    for (const element of root.querySelectorAll("[slot]")) {
      const slot = element.getAttribute("slot") ?? "";
      const parent = element.parentElement?.localName ?? "";
      if (slot !== "" && !elements[parent]?.slots.includes(slot)) throw new Error(`${parent} has no slot "${slot}"`);
    }
  };
}

function live(value: unknown, invoke: Invoke): unknown {
  if (Array.isArray(value)) return value.map((one) => live(one, invoke));
  if (value === null || typeof value !== "object") return value;
  const id = (value as Record<string, unknown>)[FUNCTION_MARK];
  if (typeof id === "number") return (detail: unknown) => invoke(id, portableDetail(detail));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, live(one, invoke)]));
}

/** A native event's detail is a number of clicks; ours is an object of plain values. */
function portableDetail(detail: unknown): unknown {
  return typeof detail === "object" ? detail : undefined;
}
