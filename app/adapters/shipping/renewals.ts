/**
 * Who renews a connection's token, so that a refresh token is never sent twice. In a process that is alone each connection has one renewal
 * at a time anyway (`tokens.ts`); several ask the database (`slots/postgres-renewals.ts`).
 */
export interface Renewals {
  /** Null while another process renews it. */
  claim(connectionId: string): Promise<RenewalClaim | null>;
}

export interface RenewalClaim {
  /** Awaited right before the request leaves; rejects when another process may be renewing. Null where there is no other process. */
  confirm: (() => Promise<void>) | null;
  /** Whether another process may be renewing. */
  isLost(): boolean;
  end(): void;
}

const ALONE: RenewalClaim = { confirm: null, isLost: () => false, end: () => undefined };

export const LOCAL_RENEWALS: Renewals = { claim: async () => ALONE };
