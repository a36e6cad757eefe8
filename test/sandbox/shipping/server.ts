/** Starts the stand-in: the service's listener, a second one for control alone, and the same control as functions. */
import type { RequestListener } from "node:http";
import type { StoredTemplate, Writer } from "./address-book.ts";
import { answerControl } from "./control.ts";
import type { AccountTemplate, Control } from "./control.ts";
import { exchange } from "./exchange.ts";
import type { ShippingServiceOptions } from "./options.ts";
import type { Environment } from "./routing.ts";
import { listen } from "./listener.ts";
import { openStateFile } from "./state-file.ts";
import { buildReport } from "./tally.ts";
import { renderTemplate } from "./template-replies.ts";
import type { Client } from "./tokens.ts";
import { changeBehaviour, createWorld } from "./world.ts";

export interface ShippingService extends Control {
  url: string;
  testUrl: string;
  productionUrl: string;
  /** Base of the listener that answers `/control` even while the service is down. */
  controlUrl: string;
}

export async function startShippingService(options: ShippingServiceOptions = {}): Promise<ShippingService> {
  const startedAtMs = performance.now();
  const { host = "127.0.0.1", port = 0, controlPort = 0 } = options;
  const file = openStateFile(options.dataFile);
  let resets = file.resets;
  const changed = () => file.changed(() => ({ world, resets }));
  let world = createWorld({ options, resets, changed });
  file.restore(world);
  let upAgain: NodeJS.Timeout | undefined;

  function clientOf(clientId: string, environment?: Environment): Client {
    const client = world.tokens
      .clients()
      .find((one) => one.clientId === clientId && (!environment || one.environment === environment));
    if (!client) throw new RangeError(`no client ${clientId}`);
    return client;
  }

  function templateOf(id: string): StoredTemplate {
    const template = world.book.all().find((one) => one.id === id);
    if (!template) throw new RangeError(`no template ${id}`);
    return template;
  }

  const person = (account: string): Writer => ({ source: "person", account, client: null, readAt: null });
  const show = (template: StoredTemplate): AccountTemplate => ({
    ...renderTemplate(template, { behaviour: world.behaviour, nowMs: world.nowMs() }),
    id: template.id,
    account: template.account,
  });

  const control: Omit<ShippingService, "url" | "testUrl" | "productionUrl" | "controlUrl"> = {
    report: () =>
      buildReport({
        ...world,
        startedAtMs,
        up: listener.isOpen(),
        struck: world.faults.struck(),
        pendingEffects: world.pendingEffects(),
      }),
    faults: {
      set: (rules) => world.faults.set(rules),
      clear: (id) => world.faults.clear(id),
      list: () => world.faults.list(),
    },
    async goDown(forMs) {
      clearTimeout(upAgain);
      await listener.close();
      if (forMs !== undefined) upAgain = setTimeout(() => void listener.open(), forMs);
    },
    async comeUp() {
      clearTimeout(upAgain);
      await listener.open();
    },
    clients: () => world.tokens.clients(),
    addClient: (application) => world.tokens.addClient(application),
    templates: (clientId, environment) => world.book.of(clientOf(clientId, environment).account).map(show),
    allTemplates: () => world.book.all().map(show),
    createTemplate(clientId, input) {
      const { account } = clientOf(clientId);
      return show(world.book.create(person(account), { input, address: { ...input.address_attributes } }));
    },
    editTemplate(templateId, input) {
      const template = templateOf(templateId);
      const address = input.address_attributes ? { ...template.address, ...input.address_attributes } : null;
      world.book.update(template, { writer: person(template.account), input, address });
      return show(template);
    },
    deleteTemplate(templateId) {
      const template = templateOf(templateId);
      world.book.remove(person(template.account), template);
    },
    revokeTokens(clientId) {
      const revoked = world.tokens.revokeAll(clientOf(clientId).key, world.nowMs());
      changed();
      return revoked;
    },
    setVerdict(verdict) {
      const template = templateOf(verdict.templateId);
      world.book.tell(template, verdict);
      return show(template);
    },
    configure(part) {
      changeBehaviour(world.behaviour, part);
      return world.behaviour;
    },
    log: (since = 0) => world.log.since(since),
    requests: () => [...world.requests],
    reset() {
      world.end();
      world = createWorld({ options, resets: ++resets, changed });
      changed();
    },
    async stop() {
      clearTimeout(upAgain);
      world.end();
      await Promise.all([listener.close(), controlListener.close()]);
      file.flush();
    },
  };

  const answer: RequestListener = (request, response) => {
    if (request.url?.startsWith("/control/")) return void answerControl(control, { request, response });
    exchange(world, { request, response }).catch((error: unknown) => {
      console.error("shipping stand-in:", error);
      response.destroy();
    });
  };
  const listener = await listen(answer, { host, port });
  const answerControlOnly: RequestListener = (request, response) => void answerControl(control, { request, response });
  const controlListener = await listen(answerControlOnly, { host, port: controlPort }).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  const { url } = listener;
  return {
    ...control,
    url,
    testUrl: `${url}/test`,
    productionUrl: `${url}/production`,
    controlUrl: controlListener.url,
  };
}
