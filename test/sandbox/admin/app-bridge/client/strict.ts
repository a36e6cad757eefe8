/** Wraps an API so that a member which Shopify's types do not have throws instead of being undefined. */
export function strict<T extends object>(name: string, target: T, members: readonly string[]): T {
  const known = new Set(members);
  const check = (property: string | symbol): void => {
    if (typeof property === "string" && !known.has(property) && !PROBED.has(property)) {
      throw new TypeError(`${name}.${property} is not in @shopify/app-bridge-types`);
    }
  };
  return new Proxy(target, {
    get(object, property) {
      check(property);
      if (property in object || typeof property === "symbol" || PROBED.has(property))
        return Reflect.get(object, property);
      return absent(`${name}.${property}`);
    },
    set(_object, property) {
      throw new TypeError(`${name}.${String(property)} cannot be set`);
    },
  });
}

/** @throws TypeError for an option that Shopify's types do not have. */
export function checkOptions(name: string, options: object | undefined, members: readonly string[]): void {
  for (const key of Object.keys(options ?? {})) {
    if (!members.includes(key)) throw new TypeError(`${name} has no option "${key}" in @shopify/app-bridge-types`);
  }
}

/** @throws TypeError for an attribute that Shopify's types do not give the element. */
export function checkAttributes(element: Element, members: readonly string[]): void {
  const known = new Set(members.map((member) => member.toLowerCase()));
  for (const { name } of element.attributes) {
    if (known.has(name) || EVERYWHERE.has(name) || /^(data|aria)-/.test(name)) continue;
    throw new TypeError(`<${element.localName}> has no attribute "${name}" in @shopify/app-bridge-types`);
  }
}

// Members that promises, serialisers and developer tools look up on every object, which is no use of the API.
const PROBED = new Set([
  "then",
  "toJSON",
  "constructor",
  "$$typeof",
  "nodeType",
  "tagName",
  "prototype",
  "valueOf",
  "toString",
]);
const EVERYWHERE = new Set(["id", "class", "style", "hidden", "slot", "type"]);

/** A member that exists at Shopify and not in the sandbox; using it throws an error that says so. */
function absent(name: string): unknown {
  return new Proxy(() => undefined, {
    get: (_target, property) => {
      if (typeof property === "symbol" || PROBED.has(property)) return undefined;
      throw new Error(`${name} is not in the sandbox`);
    },
    apply: () => {
      throw new Error(`${name} is not in the sandbox`);
    },
  });
}
