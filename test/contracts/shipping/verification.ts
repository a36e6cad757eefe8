import { beforeEach, expect, test } from "vitest";
import type { StandIn } from "./stand-in.ts";
import { ADDRESS, ask, BOOK, isRefusal, made, tokenOf } from "./ask.ts";

/** docs/shipping-interface.md, 4.6 and 2.3. Words and times are not stated. */

export function verificationContract(now: () => StandIn): void {
  let token: string;
  let id: string;
  beforeEach(async () => {
    token = await tokenOf(now());
    id = await made(now(), token);
  });
  const verify = (carriers: unknown, templateId = id) =>
    ask(now(), `POST ${BOOK}/${templateId}/verify_by_carriers`, { token, body: { address_template_id: id, carriers } });
  const carriers = async () => (await ask(now(), `GET ${BOOK}/${id}`, { token })).json.data.verified_carriers;
  const entry = (carrier_name: string) => ({ carrier_name, status: expect.any(String) });

  test("is accepted with 202 and the template, which has an entry of each carrier from then on", async () => {
    const { status, json } = await verify(["fedex", "dhl"]);
    expect(status).toBe(202);
    expect(json.data).toMatchObject({ id, address: ADDRESS, verified_carriers: [entry("fedex"), entry("dhl")] });
    expect(await carriers()).toMatchObject([entry("fedex"), entry("dhl")]);
    for (const { verification_id } of json.data.verified_carriers)
      expect(verification_id === null || typeof verification_id === "string").toBe(true);
  });

  test("ends with what the carrier says, and nothing else of the template changes", async () => {
    const { json } = await verify(["fedex"]);
    now().setVerdict(id, "fedex", "approved");
    expect(await carriers()).toMatchObject([{ carrier_name: "fedex", status: "approved" }]);
    expect((await ask(now(), `GET ${BOOK}/${id}`, { token })).json.data).toMatchObject({
      alias_name: json.data.alias_name,
      address: json.data.address,
    });
  });

  test("may be asked again: one entry a carrier, the others as they were", async () => {
    await verify(["fedex", "dhl"]);
    now().setVerdict(id, "dhl", "approved");
    expect((await verify(["fedex"])).status).toBe(202);
    const entries: { carrier_name: string; status: string }[] = await carriers();
    expect(entries.map(({ carrier_name }) => carrier_name).toSorted()).toEqual(["dhl", "fedex"]);
    expect(entries.find(({ carrier_name }) => carrier_name === "dhl")!.status).toBe("approved");
  });

  test("of a carrier that does not verify is refused whole, with a code", async () => {
    const answer = await verify(["fedex", now().unsupported]);
    expect(answer).toMatchObject({ status: 422, json: { error: "CARRIER_VERIFICATION_NOT_ENABLED" } });
    expect(await carriers()).toEqual([]);
  });

  test("of no carrier is refused", async () => {
    for (const none of [undefined, []]) expect(isRefusal((await verify(none)).status)).toBe(true);
    expect(await carriers()).toEqual([]);
  });

  test("of a template that is not there is 404", async () => {
    expect((await verify(["fedex"], "00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });
}
