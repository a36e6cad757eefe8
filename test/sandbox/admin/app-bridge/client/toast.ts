import { INTERFACE_MEMBERS } from "../members.ts";
import { listen, tell } from "./channel.ts";
import { checkOptions } from "./strict.ts";

interface ToastOptions {
  duration?: number;
  isError?: boolean;
  action?: string;
  onAction?: () => void;
  onDismiss?: () => void;
}

const toasts = new Map<string, ToastOptions>();
let toastCount = 0;

export const toast = {
  show(message: string, options: ToastOptions = {}): string {
    checkOptions("shopify.toast.show", options, INTERFACE_MEMBERS.ToastOptions ?? []);
    if (typeof message !== "string" || message === "") throw new TypeError("A toast needs a message");
    const id = `toast-${(toastCount += 1)}`;
    toasts.set(id, options);
    tell("toast.show", {
      id,
      message,
      duration: options.duration ?? 5000,
      isError: options.isError ?? false,
      action: options.action ?? null,
    });
    return id;
  },
  hide(id: string): void {
    tell("toast.hide", id);
  },
};

listen("toast.action", (id) => toasts.get(String(id))?.onAction?.());
listen("toast.dismissed", (id) => {
  toasts.get(String(id))?.onDismiss?.();
  toasts.delete(String(id));
});
