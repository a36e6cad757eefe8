/** A client id by its ends, enough to tell one from another. */
export function maskClientId(clientId: string): string {
  return clientId.length <= 8 ? `${clientId.slice(0, 2)}…` : `${clientId.slice(0, 4)}…${clientId.slice(-4)}`;
}
