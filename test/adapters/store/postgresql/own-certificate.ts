import { generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate that vouches for itself, as of a server that nobody knows; `names`: the hosts that it is for. Node reads certificates but makes none. */
export function ownCertificate(names: readonly string[]): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("a test's server")))));
  const alternatives = names.map((host) =>
    isIP(host) === 4 ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host)),
  );
  const told = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(-HOUR_MS), time(24 * HOUR_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid("551d11"), der(0x04, sequence(...alternatives))))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", told, privateKey)]));
  const lines = sequence(told, algorithm, signature)
    .toString("base64")
    .match(/.{1,64}/g)!;
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const HOUR_MS = 3_600_000;

/** DER: a tag, a length and what it holds. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const held = Buffer.concat(parts);
  const { length } = held;
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), held]);
}

function sequence(...parts: Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function time(fromNowMs: number): Buffer {
  const text = new Date(Date.now() + fromNowMs).toISOString().replace(/[-:T]|\.\d+/g, "");
  return der(0x18, Buffer.from(text));
}
