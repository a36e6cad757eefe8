/**
 * Removes what an extension does not have. A worker has no storage and no host DOM anyway. The polyfill ignores questions about layout, so
 * here they throw.
 */

const LAYOUT = [
  ...["getBoundingClientRect", "getClientRects", "scrollIntoView", "computedStyleMap", "checkVisibility"],
  ...["offsetWidth", "offsetHeight", "offsetTop", "offsetLeft", "offsetParent"],
  ...["clientWidth", "clientHeight", "clientTop", "clientLeft"],
  ...["scrollWidth", "scrollHeight", "scrollTop", "scrollLeft", "innerText"],
];

const OF_WINDOW = [
  ...["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"],
  ...["getComputedStyle", "matchMedia", "innerWidth", "innerHeight", "visualViewport", "alert", "open"],
];

export function forbid(): void {
  for (const name of LAYOUT) refuse(Element.prototype, name);
  for (const name of OF_WINDOW) {
    refuse(globalThis, name);
    refuse(window, name);
  }
  refuse(document, "cookie");
}

function refuse(target: object, name: string): void {
  const throws = () => {
    throw new Error(`${name} is not available to extensions`);
  };
  Object.defineProperty(target, name, { configurable: false, get: throws, set: throws });
}
