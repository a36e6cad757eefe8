import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { legacyIdOf } from "../../app/domain/location-id.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { sessionToken } from "../sandbox/admin/signing.ts";
import { PROJECT } from "../sandbox/app-process.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import type { Canary, Evidence } from "./canaries.ts";
import { answers, dump, dumped, files, processes, secretsIn } from "./evidence.ts";
import type { Planted } from "./processes/planted.ts";
import { openRows } from "./rows.ts";
import { createSender } from "./sender.ts";
import { CANARY, furnish, locationOf, openShop, VICTIM } from "./stage.ts";
import type { Shop, Theirs } from "./stage.ts";

/** One shop on the built app, all of whose secrets are known, and everything that somebody could get hold of. */

/** The operator's own: a file of a process's environment may hold what they put there. */
const BY_OPERATOR = ["APP_KEYS", "SHOPIFY_API_SECRET", "DATABASE_URL", "DATABASE_DIRECT_URL"];

/** What a sender of templates writes about people. It stands in pages and in the database, and never in the log. */
const PERSON = { name: `${CANARY} Paz Cervantes`, phone: "+52 55 5264 0199", email: `${CANARY}.paz@bodegas.example` };

export interface SecretStageOptions {
  logLevel: string;
  databaseUrl?: string;
  /** With a template by hand, a review and its job, which takes seconds. */
  furnished?: boolean;
}

export interface SecretStage {
  sandbox: Sandbox;
  canaries(): Promise<Canary[]>;
  /** What the owner gets, on every page and by every intent. */
  visit(): Promise<Evidence[]>;
  /** What is left for others to see: files, rows, processes. */
  left(): Promise<Evidence[]>;
  /** Personal data, which must not be in the log. */
  people: Canary[];
  /** Errors with secrets that nobody caught, and a diagnostic report of Node's; the app runs again when it resolves. */
  crash(): Promise<void>;
  /** Has the app show a text wherever it can. */
  leak(text: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startSecretStage(options: SecretStageOptions): Promise<SecretStage> {
  const dataDir = join(PROJECT, ".data", `secrets-${process.pid}-${randomBytes(3).toString("hex")}`);
  mkdirSync(dataDir, { recursive: true });
  const planted = join(dataDir, "planted.json");
  const client = {
    environment: "production" as const,
    clientId: `id ${randomBytes(16).toString("hex")}`,
    clientSecret: secretOf((bytes) => randomBytes(bytes).toString("hex")),
  };
  const keys = `canary:${randomBytes(32).toString("base64")}`;
  const key = Buffer.from(keys.slice(keys.indexOf(":") + 1), "base64");
  const sandbox = await startSandbox({
    dataDir,
    ...(options.databaseUrl !== undefined && { databaseUrl: options.databaseUrl }),
    stores: [{ handle: VICTIM, name: VICTIM, locations: [locationOf(`${CANARY} centro`)] }],
    shipping: { clients: [client], refreshTokens: true },
    appEnv: {
      LOG_LEVEL: options.logLevel,
      APP_KEYS: keys,
      PLANTED: planted,
      NODE_OPTIONS: [
        `--import=${new URL("processes/planted.ts", import.meta.url).href}`,
        "--report-on-signal",
        "--report-signal=SIGHUP",
        `--report-directory="${dataDir.replaceAll("\\", "\\\\")}"`,
      ].join(" "),
    },
  });
  const sender = createSender(sandbox.app.url, { hangMs: 60_000 });
  const stop = async () => {
    sender.close();
    await sandbox.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { templateId } = templateOf(sandbox, client.clientId);
    const shop = await openShop(sandbox, VICTIM, client);
    const databaseUrl = options.databaseUrl ?? `file:${join(dataDir, "origen.db")}`;
    const rows = openRows(databaseUrl);
    const theirs = await (options.furnished ? furnish(sandbox, shop, rows) : readTheirs(shop, templateId)).finally(() =>
      rows.close(),
    );
    // What was a secret once stays one, also when another took its place.
    const known = new Map<string, Canary>();
    const canaries = async () => {
      const stored = secretsIn(await dump(databaseUrl), keys);
      for (const each of [
        ...stored,
        { name: "client secret", value: Buffer.from(client.clientSecret) },
        { name: "client id", value: Buffer.from(client.clientId) },
        { name: "encryption key", value: key },
        { name: "API secret", value: Buffer.from(sandbox.apiSecret) },
      ])
        known.set(each.value.toString("latin1"), each);
      return [...known.values()];
    };
    const plant = async (what: Planted) => {
      writeFileSync(planted, JSON.stringify(what));
      process.kill(sandbox.app.pid()!, "SIGUSR2");
      await until({
        what: `What was planted to ${what.act}`,
        read: () =>
          !sandbox.app.running() || readFileSync(sandbox.app.logFile, "utf8").includes(`planted: ${what.act}\n`),
        holds: (happened) => happened,
      });
    };
    return {
      sandbox,
      canaries,
      people: Object.entries(PERSON).map(([name, value]) => ({ name, value: Buffer.from(value) })),
      async visit() {
        const stored = await canaries();
        // A service that repeats what it was sent, written in other ways.
        const sent = stored.filter(({ name }) => name.startsWith("Connection.") || name === "client secret");
        const echoed = sent.map(({ value }) => `${value.toString()} ${value.toString("base64")}`).join(" ");
        const { clientId } = client;
        sandbox.shipping!.faults.set({
          kind: "error-before",
          status: 422,
          clientId,
          message: `No: ${echoed}`,
          next: 3,
        });
        const token = () => sessionToken(sandbox.admin.state, shop.state);
        const visited = await answers({ sandbox, state: shop.state, theirs, token, sender });
        for (const each of visited.canaries) known.set(each.value.toString("latin1"), each);
        return visited.evidence;
      },
      async left() {
        const pid = sandbox.app.pid();
        return [
          ...(pid === null ? [] : processes(pid, BY_OPERATOR)),
          ...files(dataDir).filter(({ place }) => place !== "planted.json"),
          ...dumped(await dump(databaseUrl)),
        ];
      },
      async crash() {
        const [token, secret] = ["Connection.accessToken", "client secret"].map((name) =>
          [...known.values()].find((each) => each.name === name)!.value.toString(),
        );
        const headers = { Authorization: `Bearer ${token}` };
        const beside = { body: { client_secret: secret }, request: { headers }, config: secret };
        await plant({ act: "reject", text: `401 to Bearer ${token}`, beside });
        process.kill(sandbox.app.pid()!, "SIGHUP");
        await until({
          what: "The diagnostic report",
          read: () => files(dataDir).filter(({ kind }) => kind === "report"),
          holds: ([report]) => report?.bytes.toString().trimEnd().endsWith("}") ?? false,
        });
        await plant({
          act: "throw",
          text: `No answer to ${new URLSearchParams({ client_secret: secret! }).toString()}`,
          beside,
        });
        await sandbox.app.start();
      },
      async leak(text) {
        const [id] = shop.state.locations.keys();
        sandbox.admin.locations.change(shop.state, id!, { name: text });
        await plant({ act: "print", text });
        await plant({ act: "report", text });
        await plant({ act: "title", text });
        await until({
          what: "The location's new name",
          read: () => pages.originRows(shop),
          holds: ([row]) => row!.name === text,
        });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Its beginning, middle and end are looked for by themselves: each holds what is written in another way in JSON, HTML or an address, and chance
 * enough to be no other run's.
 */
function secretOf(hex: (bytes: number) => string): string {
  return `"\\%+${hex(4)}${hex(5)}${hex(2)} /é${hex(2)}${hex(5)}${hex(4)}<&>'`;
}

/** Stored as they are, on purpose. */
const STORED = new Set(["dump", "file"]);

/** Which canaries must not stand in which evidence: the id of the account is kept as it is, for with it alone nobody gets in. */
export function keptInTheClear(canaries: readonly Canary[], evidence: readonly Evidence[]): [Canary[], Evidence[]][] {
  const isId = ({ name }: Canary) => name === "client id";
  return [
    [canaries.filter((each) => !isId(each)), [...evidence]],
    [canaries.filter(isId), evidence.filter(({ kind }) => !STORED.has(kind))],
  ];
}

/** A template that stands in the account before the shop is connected, of a person whose data is personal. */
function templateOf(sandbox: Sandbox, clientId: string): { templateId: string } {
  const { id } = sandbox.shipping!.createTemplate(clientId, {
    ...SUPPLIER,
    default: false,
    address_attributes: { ...SUPPLIER.address_attributes, ...PERSON },
  });
  return { templateId: id };
}

async function readTheirs({ state, visitor }: Shop, templateId: string): Promise<Theirs> {
  const [row] = await pages.originRows({ visitor });
  const { locationId } = row!;
  const legacyLocationId = legacyIdOf(locationId);
  return { shop: state.domain, locationId, legacyLocationId, templateId, draftId: "a-draft", jobId: "no-job" };
}
