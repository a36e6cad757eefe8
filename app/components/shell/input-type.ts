/** The kind of input a field of an address has, for the right keyboard on a phone. */
export function inputTypeOf(field: string): "email" | "tel" | "text" {
  if (field === "email") return "email";
  return field === "phone" ? "tel" : "text";
}
