/** Whether the address is a PostgreSQL database's. Apart, because whoever asks does not need pg yet. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
