/** Removes an extension that threw an error, and shows the error in its place. */
export function showFailure(root: HTMLElement, message: string): void {
  const line = document.createElement("p");
  line.setAttribute("role", "alert");
  line.textContent = `This extension stopped: ${message}`;
  root.dataset.extensionFailed = "";
  root.replaceChildren(line);
}
