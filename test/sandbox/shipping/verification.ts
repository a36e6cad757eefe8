/** Verification by carriers: each asked-for verdict is a list of stages whose words and times the seed draws. */
import type { Chance } from "./chance.ts";
import type { Behaviour, VerificationBehaviour } from "./options.ts";

interface Stage {
  /** Epoch ms from which this stage shows. */
  fromMs: number;
  status: string;
  updateState: string | null;
  verificationId: string | null;
}

export interface CarrierVerification {
  carrier: string;
  stages: Stage[];
}

export interface AskOptions {
  templateId: string;
  carrier: string;
  nowMs: number;
  behaviour: VerificationBehaviour;
  chance: Chance;
  earlier: CarrierVerification | undefined;
}

/** The entry of one carrier after it was asked at `nowMs`. */
export function askCarrier({
  templateId,
  carrier,
  nowMs,
  behaviour,
  chance,
  earlier,
}: AskOptions): CarrierVerification {
  const before = earlier && stageAt(earlier, nowMs);
  if (before && behaviour.repeat === "keep" && before === earlier.stages.at(-1)) return earlier;
  const stream = `verification:${templateId}:${carrier}`;
  const sentMs = nowMs + chance.whole(stream, behaviour.stepMs);
  const answeredMs = sentMs + chance.whole(stream, behaviour.stepMs);
  const verificationId = chance.uuid(stream);
  const status = behaviour.verdicts[carrier] ?? drawVerdict(stream, behaviour, chance);
  return {
    carrier,
    stages: [
      {
        fromMs: nowMs,
        status: behaviour.stageWords[0],
        updateState: null,
        verificationId: before?.verificationId ?? null,
      },
      { fromMs: sentMs, status: behaviour.stageWords[1], updateState: "in_review", verificationId },
      { fromMs: answeredMs, status, updateState: "updated", verificationId },
    ],
  };
}

function drawVerdict(stream: string, behaviour: VerificationBehaviour, chance: Chance): string {
  const share = chance.real(stream);
  if (share < behaviour.refusedShare) return chance.pick(stream, behaviour.refusedWords);
  if (share < behaviour.refusedShare + behaviour.otherShare) return chance.pick(stream, behaviour.otherWords);
  return chance.pick(stream, behaviour.acceptedWords);
}

export interface Verdict {
  templateId: string;
  carrier: string;
  status: string;
  updateState?: string | null;
  verificationId?: string | null;
}

/** An entry that shows what it was told, from `nowMs` on. */
export function toldVerdict(
  verdict: Verdict,
  { nowMs, earlier }: { nowMs: number; earlier: CarrierVerification | undefined },
): CarrierVerification {
  const before = earlier && stageAt(earlier, nowMs);
  const stage = {
    fromMs: nowMs,
    status: verdict.status,
    updateState: verdict.updateState === undefined ? "updated" : verdict.updateState,
    verificationId: verdict.verificationId === undefined ? (before?.verificationId ?? null) : verdict.verificationId,
  };
  return { carrier: verdict.carrier, stages: [stage] };
}

function stageAt(verification: CarrierVerification, nowMs: number): Stage {
  return verification.stages.findLast((stage) => stage.fromMs <= nowMs) ?? verification.stages[0]!;
}

export interface RenderOptions {
  nowMs: number;
  behaviour: Behaviour;
}

/** An element of `verified_carriers` (docs/shipping-interface.md, 2.3), in the edition that `updateState` names. */
export function renderVerification(verification: CarrierVerification, { nowMs, behaviour }: RenderOptions) {
  const stage = stageAt(verification, nowMs);
  const entry: Record<string, unknown> = { carrier_name: verification.carrier, status: stage.status };
  if (behaviour.updateState === "present") entry.update_state = stage.updateState;
  if (behaviour.updateState === "null") entry.update_state = null;
  if (stage.verificationId !== null || !behaviour.omitNulls) entry.verification_id = stage.verificationId;
  if (behaviour.unknownFields) entry.logo_url = null;
  return entry;
}
