/** The key of a verification's work item: a template's id alone does not tell over which connection its carriers are asked. */
export function verificationKey(connectionId: string, templateId: string): string {
  return `${connectionId}:${templateId}`;
}

/** The ids that `verificationKey` put together. */
export function idsOfVerification(key: string): { connectionId: string; templateId: string } {
  const at = key.indexOf(":");
  return { connectionId: key.slice(0, at), templateId: key.slice(at + 1) };
}
