import { useFormat } from "../hooks/use-format.ts";

/** How long ago something was, with the exact time on hover and for machines. `<Age atMs={row.syncedAtMs} />`; null shows a dash. */
export function Age({ atMs }: { atMs: number | null }) {
  const format = useFormat();
  if (atMs === null) return <span>—</span>;
  return (
    <time dateTime={new Date(atMs).toISOString()} title={format.dateTime(atMs)}>
      {format.age(atMs)}
    </time>
  );
}
