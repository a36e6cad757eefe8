import { canonicalAddress } from "../domain/address/compare.ts";
import { putBack } from "../domain/plan/emptied.ts";
import type { Policies, TemplateRecord, VerificationRecord } from "../domain/records.ts";
import { newVerification, wanting } from "../domain/verification/verification.ts";
import { verificationKey } from "../domain/verification/verification-key.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { makeRoom } from "../book/make-room.ts";

/** A template as it was read, and what was emptied in it: the next write puts that back, and the carriers are asked about the whole. */
type Asked = Pick<TemplateRecord, "template" | "emptied">;

/** `canonicalAddress` of what carriers are asked about. */
export function keyToAsk({ template, emptied }: Asked): string {
  return canonicalAddress(putBack(template, emptied).address);
}

/**
 * Called after a write. The shop's carriers are asked again if the policy says so and the address differs from the one that they were asked
 * about.
 */
export async function wantVerification(
  services: Services,
  tables: Tables,
  { ref, row, policies }: { ref: ConnectionRef; row: Asked; policies: Policies },
): Promise<void> {
  if (!policies.verifyAfterChange || policies.carriers.length === 0) return;
  const addressKey = keyToAsk(row);
  const templateId = row.template.id;
  const known = await tables.verifications.list({ shop: ref.shop, connectionId: ref.id, templateId });
  const asked = (carrier: string) => {
    const record = known.find((each) => each.carrier === carrier);
    if (!record) return false;
    if (record.question !== null) return record.questionKey === addressKey;
    return record.outcome === "not_offered" || (record.addressKey === addressKey && record.outcome !== "seen");
  };
  const carriers = policies.carriers.filter((carrier) => !asked(carrier));
  if (carriers.length > 0) await askCarriers(services, tables, { ref, row, carriers, known });
}

/** Marks the carriers as wanted and requests the verification's work item. */
export async function askCarriers(
  services: Services,
  tables: Tables,
  input: {
    ref: Pick<ConnectionRef, "shop" | "id">;
    row: Asked;
    carriers: string[];
    known: VerificationRecord[];
  },
): Promise<{ workItemId: string; generation: number }> {
  const { ref, row, carriers, known } = input;
  const nowMs = services.clock.nowMs();
  const addressKey = keyToAsk(row);
  const templateId = row.template.id;
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const wanted = new Set(carriers);
  const others = known.filter(({ carrier }) => !wanted.has(carrier));
  await makeRoom(tables, { known: others, adding: wanted.size });
  for (const carrier of wanted) {
    const before = known.find((record) => record.carrier === carrier);
    if (before) await tables.verifications.update({ ...key, carrier }, wanting(before, addressKey, nowMs));
    else {
      const fresh = newVerification({ ...key, carrier }, "wanted", nowMs);
      await tables.verifications.insert(wanting(fresh, addressKey, nowMs));
    }
  }
  return requestWork(services, tables, {
    shop: ref.shop,
    kind: "verification",
    key: verificationKey(ref.id, templateId),
  });
}
