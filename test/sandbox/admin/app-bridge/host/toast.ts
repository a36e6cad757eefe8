import { byId, send, settings } from "./frame.ts";

export interface ToastState {
  id: string;
  message: string;
  duration: number;
  isError: boolean;
  action: string | null;
}

export function showToast(toast: ToastState): void {
  const element = document.createElement("div");
  element.className = toast.isError ? "toast error" : "toast";
  element.id = toast.id;
  const text = document.createElement("span");
  text.textContent = toast.message;
  element.append(text);
  if (toast.action)
    element.append(toastButton(toast.action, toast.action, () => send({ event: "toast.action", detail: toast.id })));
  element.append(toastButton("×", settings.words.dismiss, () => dismissToast(toast.id)));
  byId("toasts").append(element);
  setTimeout(() => dismissToast(toast.id), toast.duration);
}

export function dismissToast(id: string): void {
  const element = document.getElementById(id);
  if (!element?.classList.contains("toast")) return;
  element.remove();
  send({ event: "toast.dismissed", detail: id });
}

function toastButton(text: string, label: string, press: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", press);
  return button;
}
