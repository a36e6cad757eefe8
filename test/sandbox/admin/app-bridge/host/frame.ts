// The admin's half of App Bridge draws what the app in the frame asks for. It listens to that frame and its origin only.

import type { Words } from "../../words.ts";

interface FrameSettings {
  /** The store's handle. */
  handle: string;
  /** The app's handle. */
  app: string;
  name: string;
  appOrigin: string;
  /** What the page around the frame says. */
  words: Words["host"];
}

const settingsMeta = document.querySelector<HTMLMetaElement>('meta[name="frame-settings"]');
export const settings = JSON.parse(settingsMeta?.content ?? "{}") as FrameSettings;
export const frame = byId<HTMLIFrameElement>("app");
export const appBase = `/store/${settings.handle}/apps/${settings.app}`;

/** A button or link of a bar, as the frame describes it. */
export interface BarItem {
  label: string;
  variant: string | null;
  tone: string | null;
  disabled: boolean;
  loading: boolean;
  index: number;
  section: string | null;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Tells the frame. */
export function send(message: object): void {
  frame.contentWindow?.postMessage({ channel: "app-bridge", ...message }, settings.appOrigin);
}

/** Asks the admin's server. @throws with its reason when it refuses. */
export async function internal<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`/internal/${settings.handle}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `The admin answered ${response.status}`);
  return answer;
}
