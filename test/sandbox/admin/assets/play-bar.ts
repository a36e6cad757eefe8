// The bar with which a visitor plays: each button says what it has done, and the page stays.
const bar = document.querySelector<HTMLElement>(".play")!;
const saidLine = document.getElementById("play-said")!;

bar.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button[data-act]") : null;
  if (button) void play(button);
});

async function play(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    const response = await fetch(`${bar.dataset.base}/${button.dataset.act}`, { method: "POST" });
    if (!response.ok) throw new Error(String(response.status));
    const { said, label } = (await response.json()) as { said: string; label?: string };
    saidLine.textContent = said;
    if (label) button.textContent = label;
  } catch {
    saidLine.textContent = bar.dataset.failed ?? "";
  } finally {
    button.disabled = false;
  }
}
