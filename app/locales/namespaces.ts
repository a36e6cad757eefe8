/** `{"./en/home.json": …}` → `{home: …}` */
export function byNamespace(files: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(files).map(([path, messages]) => [path.replace(/^.*\/|\.json$/g, ""), messages]),
  );
}
