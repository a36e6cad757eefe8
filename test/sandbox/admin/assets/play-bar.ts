// The bar with which a visitor plays: each button says what it has done, and the page stays.
const bar = document.querySelector<HTMLElement>(".play")!;
const saidLine = document.getElementById("play-said")!;

bar.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button[data-act]") : null;
  if (button) void play(button);
});

interface Answer {
  said: string;
  link?: { href: string; text: string };
  labels: Record<string, string>;
}

// What the buttons say now that do and undo: an earlier page may have pressed them.
void fetch(bar.dataset.base!)
  .then((response) => response.json() as Promise<Pick<Answer, "labels">>)
  .then(({ labels }) => label(labels))
  // The sandbox is stopping.
  .catch(() => undefined);

function label(labels: Answer["labels"]): void {
  for (const [act, words] of Object.entries(labels)) {
    const button = bar.querySelector(`button[data-act="${act}"]`);
    if (button) button.textContent = words;
  }
}

function linkTo({ href, text }: NonNullable<Answer["link"]>): HTMLAnchorElement {
  return Object.assign(document.createElement("a"), { href, textContent: text });
}

async function play(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    const response = await fetch(`${bar.dataset.base}/${button.dataset.act}`, { method: "POST" });
    if (!response.ok) throw new Error(String(response.status));
    const { said, link, labels } = (await response.json()) as Answer;
    saidLine.replaceChildren(said, ...(link ? [" ", linkTo(link)] : []));
    label(labels);
  } catch {
    saidLine.textContent = bar.dataset.failed ?? "";
  } finally {
    button.disabled = false;
  }
}
