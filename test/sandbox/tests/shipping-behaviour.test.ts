import { afterEach, describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../../app/domain/address/address.ts";
import type { Parsed } from "./shipping-caller.ts";
import { BOOK, TOKEN, call, created, credentials, start, stopAll, template, token } from "./shipping-caller.ts";
import { ADDRESS } from "../../contracts/shipping/ask.ts";

afterEach(stopAll);

async function one(options: Parameters<typeof start>[0] = {}) {
  const service = await start(options);
  const bearer = await token(service);
  const id = await created(service, bearer, "A");
  const get = async () => (await call(service, `GET ${BOOK}/${id}`, { token: bearer })).json.data;
  const patch = (address_attributes: object) =>
    call(service, `PATCH ${BOOK}/${id}`, { token: bearer, body: { address_template: { address_attributes } } });
  return { service, bearer, id, get, patch };
}

describe("text and fields", () => {
  test("text stays as it was sent, or is trimmed where the service does so", async () => {
    const { service, patch } = await one();
    expect((await patch({ street1: "  Av.  Juárez " })).json.data.address.street1).toBe("  Av.  Juárez ");
    service.configure({ trimText: true });
    expect((await patch({ street1: "  Av.  Juárez " })).json.data.address.street1).toBe("Av. Juárez");
  });

  test("fields the interface does not name are dropped or kept; known ones may be dropped too", async () => {
    const { service, patch } = await one();
    expect((await patch({ planet: "Tierra" })).json.data.address.planet).toBeUndefined();
    service.configure({ unknownAddressFields: "keep" });
    expect((await patch({ planet: "Tierra" })).json.data.address.planet).toBe("Tierra");
    service.configure({ dropFields: ["reference", "rfc"] });
    expect((await patch({ reference: "Otra", rfc: "XAXX010101000" })).json.data.address).toMatchObject({
      reference: null,
      rfc: null,
    });
    expect((await patch({ phone: "5500000000" })).status).toBe(200);
  });

  test("text may be too long", async () => {
    const { service, patch } = await one({ longestText: 50, validationShape: "errors-field" });
    expect((await patch({ reference: "x".repeat(51) })).json.errors.reference[0]).toContain("50");
    service.configure({ longestText: null });
    expect((await patch({ reference: "x".repeat(51) })).status).toBe(200);
  });

  test("what is no text is refused", async () => {
    const { patch } = await one({ validationShape: "errors-field" });
    expect(Object.keys((await patch({ phone: 5555536266 })).json.errors)).toEqual(["phone"]);
  });
});

describe("what an update does to the fields it does not name", () => {
  test("merge keeps them, replace blanks them, reject asks for the whole", async () => {
    const { service, patch, get } = await one();
    await patch({ company: "Tienda" });
    expect((await get()).address).toMatchObject({ ...ADDRESS, company: "Tienda" });
    service.configure({ partialAddress: "reject", validationShape: "errors-field" });
    expect(Object.keys((await patch({ company: "Otra" })).json.errors)).toContain("street1");
    expect((await patch({ ...ADDRESS, company: "Otra" })).status).toBe(200);
    service.configure({ partialAddress: "replace" });
    const { address } = (await patch({ company: "Tienda" })).json.data;
    expect(address).toMatchObject({ company: "Tienda", street1: "", street_number: null, reference: null });
  });

  test("an address edit clears the carriers' verdicts only where the service does so", async () => {
    const { service, patch, id } = await one();
    service.setVerdict({ templateId: id, carrier: "dhl", status: "verified" });
    expect((await patch({ phone: "5500000001" })).json.data.verified_carriers).toHaveLength(1);
    service.configure({ addressEditClearsVerification: true });
    expect((await patch({ phone: "5500000001" })).json.data.verified_carriers).toHaveLength(1);
    expect((await patch({ phone: "5500000002" })).json.data.verified_carriers).toEqual([]);
  });

  test("one default for each account, unless the service allows more", async () => {
    const { service, bearer, get } = await one();
    const second = await created(service, bearer, "B");
    const setDefault = (id: string) =>
      call(service, `PATCH ${BOOK}/${id}`, { token: bearer, body: { address_template: { default: true } } });
    await setDefault((await get()).id);
    await setDefault(second);
    expect((await get()).default).toBe(false);
    expect(service.log().at(-1)).toMatchObject({ source: "service", operation: "update", payload: { default: false } });
    service.configure({ singleDefault: false });
    await setDefault((await get()).id);
    expect(service.templates("test-client-1").map((template) => template.default)).toEqual([true, true]);
  });
});

describe("shapes of replies", () => {
  test("update_state is present, null or absent by edition", async () => {
    const { service, get, id } = await one({ unknownFields: false });
    service.setVerdict({
      templateId: id,
      carrier: "dhl",
      status: "verified",
      updateState: "updated",
      verificationId: "V",
    });
    const entry = async () => (await get()).verified_carriers[0];
    expect(await entry()).toEqual({
      carrier_name: "dhl",
      status: "verified",
      update_state: "updated",
      verification_id: "V",
    });
    service.configure({ updateState: "null" });
    expect((await entry()).update_state).toBeNull();
    service.configure({ updateState: "absent" });
    expect(await entry()).toEqual({ carrier_name: "dhl", status: "verified", verification_id: "V" });
  });

  test("nullable fields are null or left out; unknown fields appear or not", async () => {
    const { service, get } = await one({ unknownFields: false });
    expect((await get()).address).toEqual({
      ...NO_ADDRESS,
      ...ADDRESS,
      tax_id_number: null,
      tax_id_type: null,
    });
    service.configure({ omitNulls: true });
    expect((await get()).address).toEqual(ADDRESS);
    service.configure({ unknownFields: true });
    expect(Object.keys(await get())).toContain("object");
  });

  test("404, 401, delete and refusals come in every shape that was seen", async () => {
    const { service, bearer } = await one();
    const missing = async () => (await call(service, `GET ${BOOK}/none`, { token: bearer })).text;
    service.configure({ notFoundShape: "message" });
    expect(JSON.parse(await missing())).toEqual({ message: expect.any(String) });
    service.configure({ notFoundShape: "error" });
    expect(JSON.parse(await missing())).toEqual({ error: "Not Found" });
    service.configure({ notFoundShape: "html" });
    expect(await missing()).toContain("<html");
    for (const [unauthorizedShape, pattern] of [
      ["json", /^\{/],
      ["html", /^<!doctype/],
      ["empty", /^$/],
    ] as const) {
      service.configure({ unauthorizedShape });
      expect((await call(service, `GET ${BOOK}`, { token: "bad" })).text).toMatch(pattern);
    }
    for (const [deleteBody, pattern] of [
      ["empty", /^$/],
      ["object", /^\{\}$/],
      ["data", /^\{"data"/],
    ] as const) {
      service.configure({ deleteBody });
      expect(
        (await call(service, `DELETE ${BOOK}/${await created(service, bearer, "X")}`, { token: bearer })).text,
      ).toMatch(pattern);
    }
  });

  test("shapes left to the seed vary, and the same seed gives the same ones", async () => {
    const shapes = async (seed: number) => {
      const service = await start({ seed });
      const bearer = await token(service);
      const seen: string[] = [];
      for (let n = 0; n < 25; n++) {
        const answer = await call(service, `POST ${BOOK}`, { token: bearer, body: template("A", { phone: "" }) });
        seen.push(`${answer.status} ${answer.text}`);
      }
      return seen;
    };
    const seen = await shapes(3);
    expect(new Set(seen).size).toBeGreaterThan(6);
    expect(await shapes(3)).toEqual(seen);
  });

  test("created_at may be skewed and fractional; the page order may be the newest first", async () => {
    const { service, bearer } = await one({ createdAtSkewSeconds: -3600.5, order: "newest" });
    const { json } = await call(service, TOKEN, { body: { grant_type: "client_credentials", ...credentials() } });
    expect(json.created_at % 1).toBe(0.5);
    expect(Date.now() / 1000 - json.created_at).toBeGreaterThan(3600);
    await created(service, bearer, "B");
    const list = await call(service, `GET ${BOOK}`, { token: bearer });
    expect(list.json.data.map((template: Parsed) => template.alias_name)).toEqual(["B", "A"]);
  });
});

test("the edge refuses the default names of HTTP libraries with an HTML 403", async () => {
  const { service, bearer } = await one();
  for (const agent of ["node", "undici", "axios/1.7", "curl/8.5"]) {
    const answer = await call(service, `GET ${BOOK}`, { token: bearer, headers: { "user-agent": agent } });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("<html");
  }
  service.configure({ blockedUserAgents: null });
  expect((await call(service, `GET ${BOOK}`, { token: bearer, headers: { "user-agent": "node" } })).status).toBe(200);
});

test("the words and times of verification are the seed's, whatever order carriers are asked in", async () => {
  const words = async (seed: number, carriers: string[]) => {
    const service = await start({ seed, verification: { stepMs: [0, 0], refusedShare: 0.4, otherShare: 0.3 } });
    const bearer = await token(service);
    const verdicts: string[] = [];
    for (let n = 0; n < 6; n++) {
      const id = await created(service, bearer, `T${n}`);
      const line = `POST ${BOOK}/${id}/verify_by_carriers`;
      for (const carrier of carriers) await call(service, line, { token: bearer, body: { carriers: [carrier] } });
      const { json } = await call(service, `GET ${BOOK}/${id}`, { token: bearer });
      verdicts.push(
        ...json.data.verified_carriers.map((entry: Parsed) => `${entry.carrier_name} ${entry.status}`).sort(),
      );
    }
    return verdicts;
  };
  const forward = await words(5, ["dhl", "fedex", "estafeta"]);
  expect(await words(5, ["estafeta", "fedex", "dhl"])).toEqual(forward);
  expect(await words(6, ["dhl", "fedex", "estafeta"])).not.toEqual(forward);
  expect(new Set(forward.map((verdict) => verdict.split(" ")[1])).size).toBeGreaterThan(2);
});
