import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useAction } from "../hooks/use-action.ts";
import { useLoad } from "../hooks/use-load.ts";
import type { JobView } from "../../views/job.ts";

/** The time between two polls of a running job, in milliseconds. */
const LOOK_EVERY_MS = 1_500;

/** Whether items still go on: those that a cancel could not stop do. */
const isUnderWay = (job: JobView) => job.state === "running" || job.waiting > 0;

/** Polls a job until it has ended, then lets the page read its data again. */
export function useJob(initial: JobView | null): { job: JobView | null; cancel(): void; cancelling: boolean } {
  const looking = useLoad<JobView>();
  const cancelling = useAction();
  const { revalidate } = useRevalidator();
  const newer = initial && isUnderWay(initial) && looking.data?.id === initial.id ? looking.data : null;
  const job = newer ?? initial;
  const running = job !== null && isUnderWay(job);
  const { load, state } = looking;

  useEffect(() => {
    if (!running || state !== "idle") return;
    const timer = setTimeout(() => load(`/app/jobs/${job.id}`), LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [running, state, load, job]);

  const wasRunning = useRef(running);
  useEffect(() => {
    if (wasRunning.current && !running) revalidate();
    wasRunning.current = running;
  }, [running, revalidate]);

  return {
    job,
    cancel: () => job && cancelling.submit(null, { method: "post", action: `/app/jobs/${job.id}` }),
    cancelling: cancelling.state !== "idle",
  };
}
