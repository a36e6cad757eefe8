import type { ExtensionView, Manifest } from "../protocol.ts";
import { showFailure } from "./failure.ts";
import { resolveLink } from "./links.ts";
import { runExtension } from "./run.ts";

export interface ActionOptions {
  manifest: Manifest;
  extension: ExtensionView;
  selected: string[];
}

/** An action runs in a dialog as long as that is open. */
export function openAction({ manifest, extension, selected }: ActionOptions): void {
  const dialog = document.createElement("dialog");
  dialog.className = "extension-action";
  dialog.dataset.extension = extension.handle;
  dialog.setAttribute("aria-label", extension.name);
  document.body.append(dialog);
  const running = runExtension({
    manifest,
    extension,
    target: extension.target,
    script: extension.script,
    selected,
    root: dialog,
    navigate: (url) => {
      const address = resolveLink(url);
      if (address) location.assign(address);
    },
    close: () => dialog.close(),
    fail: (message) => {
      running.stop();
      showFailure(dialog, message);
    },
  });
  running.result.catch((error: Error) => showFailure(dialog, error.message));
  dialog.addEventListener("close", () => {
    running.stop();
    dialog.remove();
  });
  dialog.showModal();
}
