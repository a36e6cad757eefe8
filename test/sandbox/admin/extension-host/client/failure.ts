/** An extension that throws is taken down, and its place says so. */
export function showFailure(root: HTMLElement, message: string): void {
  const line = document.createElement("p");
  line.setAttribute("role", "alert");
  line.textContent = `This extension stopped: ${message}`;
  root.dataset.extensionFailed = "";
  root.replaceChildren(line);
}
