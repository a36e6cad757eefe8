/**
 * What a refusal says beyond what stands beside its fields. The message repeats each field by the interface's name ("phone: …"), which is
 * no word of an owner's; what it says of anything that no form shows stays. Null when nothing is left.
 */
export function wordsBeyondFields(
  message: string | null,
  { fields, shown }: { fields: Readonly<Record<string, string[]>>; shown: readonly string[] },
): string | null {
  if (message === null) return null;
  const told = shown.flatMap((field) => (fields[field] ? [`${field}: ${fields[field].join(", ")}`] : []));
  const left = told.reduce((words, one) => words.replace(one, ""), message);
  return left.split(BETWEEN).filter(Boolean).join(BETWEEN) || null;
}

/** As the shipping adapter joins what an answer says. */
const BETWEEN = " · ";
