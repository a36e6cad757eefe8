import { PRIORITIES, type Priority } from "../../ports.ts";

/**
 * Calls that wait, and their turns in the line. Turns of one shop, client id and connection are alike, so whichever comes to the front serves
 * the most urgent of their calls. Otherwise a background call that stands before slots which other processes use would hold up an
 * interactive one behind it.
 */

export interface WaitingCall<P> {
  priority: Priority;
  /** Sends it. Never rejects; resolves when the next call may have the place. */
  start(permit: P): Promise<void>;
}

/** A place in the line. */
export interface Turn<P> {
  /** Whom it serves; null when nobody is left for it. */
  call: WaitingCall<P> | null;
  /** Fires when nobody is left for it. */
  left(): AbortSignal;
}

export interface Calls<P> {
  waits(call: WaitingCall<P>): Turn<P>;
  /** The priority with which the turn may ask. */
  priority(turn: Turn<P>): Priority;
  /** Takes the most urgent call out; null when nobody is left for the turn. */
  next(turn: Turn<P>): WaitingCall<P> | null;
  leaves(call: WaitingCall<P>): void;
  isEmpty(): boolean;
}

export function createCalls<P>(): Calls<P> {
  /** In the order in which they came. */
  const turns = new Map<WaitingCall<P>, OwnTurn<P>>();

  function mostUrgent(): WaitingCall<P> | null {
    let best: WaitingCall<P> | null = null;
    for (const call of turns.keys()) if (!best || rankOf(call) < rankOf(best)) best = call;
    return best;
  }

  function leaves(call: WaitingCall<P>): void {
    const turn = turns.get(call);
    turns.delete(call);
    if (!turn) return;
    turn.call = null;
    turn.end();
  }

  return {
    waits(call) {
      const turn = createTurn(call);
      turns.set(call, turn);
      return turn;
    },
    priority: (turn) => (mostUrgent() ?? turn.call!).priority,
    next(turn) {
      const own = turn.call;
      if (!own) return null;
      const best = mostUrgent()!;
      // Whose turn this was has the other's turn.
      const other = turns.get(best)!;
      other.call = own;
      turns.set(own, other);
      turns.delete(best);
      turn.call = null;
      return best;
    },
    leaves,
    isEmpty: () => turns.size === 0,
  };
}

interface OwnTurn<P> extends Turn<P> {
  end(): void;
}

/** Few turns have to wait for a slot, and an abort controller costs more than the rest of a turn. */
function createTurn<P>(call: WaitingCall<P>): OwnTurn<P> {
  let controller: AbortController | null = null;
  let ended = false;
  return {
    call,
    left() {
      controller ??= new AbortController();
      if (ended) controller.abort();
      return controller.signal;
    },
    end() {
      ended = true;
      controller?.abort();
    },
  };
}

function rankOf({ priority }: { priority: Priority }): number {
  return PRIORITIES.indexOf(priority);
}
