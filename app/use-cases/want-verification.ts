import { canonicalAddress } from "../domain/address-compare.ts";
import type { AddressTemplate, Policies, VerificationRecord } from "../domain/records.ts";
import { newVerification, withOutcome } from "../domain/verification.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { raiseTarget } from "./raise-target.ts";

export function verificationKey(connectionId: string, templateId: string): string {
  return `${connectionId}:${templateId}`;
}

/** After a write: the shop's carriers are asked again when the policy says so and the address is not the one they were asked for. */
export async function wantVerification(
  services: Services,
  tables: Tables,
  { ref, template, policies }: { ref: ConnectionRef; template: AddressTemplate; policies: Policies },
): Promise<void> {
  if (!policies.verifyAfterChange || policies.carriers.length === 0) return;
  const addressKey = canonicalAddress(template.address);
  const known = await tables.verifications.list({ shop: ref.shop, connectionId: ref.id, templateId: template.id });
  const asked = (carrier: string) => {
    const record = known.find((each) => each.carrier === carrier);
    return record?.outcome === "not_offered" || (record?.addressKey === addressKey && record.outcome !== "seen");
  };
  const carriers = policies.carriers.filter((carrier) => !asked(carrier));
  if (carriers.length > 0) await askCarriers(services, tables, { ref, template, carriers, known });
}

/** Marks the carriers as wanted and raises the verification's target. */
export async function askCarriers(
  services: Services,
  tables: Tables,
  input: {
    ref: Pick<ConnectionRef, "shop" | "id">;
    template: AddressTemplate;
    carriers: string[];
    known: VerificationRecord[];
  },
): Promise<{ targetId: string; generation: number }> {
  const { ref, template, carriers, known } = input;
  const nowMs = services.clock.nowMs();
  const addressKey = canonicalAddress(template.address);
  const key = { shop: ref.shop, connectionId: ref.id, templateId: template.id };
  for (const carrier of new Set(carriers)) {
    const before = known.find((record) => record.carrier === carrier);
    const fresh = { addressKey, polls: 0, nextPollAtMs: null, askedAtMs: null };
    if (before)
      await tables.verifications.update({ ...key, carrier }, { ...withOutcome(before, "wanted", nowMs), ...fresh });
    else await tables.verifications.insert({ ...newVerification({ ...key, carrier }, "wanted", nowMs), ...fresh });
  }
  return raiseTarget(services, tables, {
    shop: ref.shop,
    kind: "verification",
    key: verificationKey(ref.id, template.id),
  });
}
