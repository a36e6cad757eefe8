import type { CallOptions, Clock, WriteOptions } from "../../app/ports.ts";
import type { Made, Scratch } from "./scratch.ts";
import type { Seen } from "./seen.ts";
import type { Service } from "./service.ts";

/** What every probe receives: whom to ask, what to ask with, and where to write what was seen. */
export interface Asking {
  service: Service;
  scratch: Scratch;
  clock: Clock;
  seen: Seen;
  carriers: readonly string[];
  /** How long a write may take to appear, and for how long carriers' words are followed. */
  lateMs: number;
  followMs: number;
  /** Templates that earlier probes made, by what they are for. */
  made: { changed?: Made; verified?: Made; deleted?: Made };
  /** Of every call: the run can be stopped. */
  call: CallOptions;
  write: WriteOptions;
  /** Says how far the run is. */
  tell(line: string): void;
}
