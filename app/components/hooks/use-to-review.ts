import { useRouteLoaderData } from "@remix-run/react";

/** How many locations wait for their owner's word in Review, as the frame of every page has read it. */
export function useToReview(): number {
  return (useRouteLoaderData("routes/app") as { toReview?: number } | undefined)?.toReview ?? 0;
}
