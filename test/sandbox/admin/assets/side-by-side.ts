// Both sides as they are now: asked for every half a second, drawn where they changed.
interface Row {
  id: number | string;
  name: string;
  lines: string[];
  number?: string | null;
  label?: string;
}

const EVERY_MS = 500;
const sides = document.getElementById("sides")!;
const drawn = new Map<string, string>();
let isFirst = true;

async function look(): Promise<void> {
  try {
    const response = await fetch(sides.dataset.from!);
    const { locations, templates, report } = (await response.json()) as {
      locations: Row[];
      templates: Row[];
      report: string;
    };
    draw(document.getElementById("shopify-side")!, locations);
    draw(document.getElementById("book-side")!, templates);
    document.getElementById("book-empty")!.hidden = templates.length > 0;
    document.getElementById("side-report")!.textContent = report;
    isFirst = false;
  } catch {
    // The sandbox is stopping; what is shown stays.
  }
  setTimeout(() => void look(), EVERY_MS);
}

function draw(list: HTMLElement, rows: Row[]): void {
  const there = new Set(rows.map(({ id }) => `${list.id} ${id}`));
  for (const item of [...list.children] as HTMLElement[]) if (!there.has(item.dataset.key!)) item.remove();
  for (const row of rows) {
    const key = `${list.id} ${row.id}`;
    const words = JSON.stringify(row);
    if (drawn.get(key) === words && list.querySelector(`[data-key="${key}"]`)) continue;
    drawn.set(key, words);
    const item = list.querySelector<HTMLElement>(`[data-key="${key}"]`) ?? list.appendChild(itemFor(key, row));
    item.querySelector(".lines")!.replaceChildren(...lines(row));
    if (isFirst) continue;
    item.classList.remove("changed");
    void item.offsetWidth;
    item.classList.add("changed");
  }
}

function itemFor(key: string, row: Row): HTMLElement {
  const item = document.createElement("li");
  item.dataset.key = key;
  item.append(Object.assign(document.createElement("div"), { className: "lines" }));
  if (typeof row.number === "string") item.append(numberForm(row));
  return item;
}

function lines({ name, lines: texts }: Row): HTMLElement[] {
  const heading = Object.assign(document.createElement("strong"), { textContent: name });
  return [heading, ...texts.map((text) => Object.assign(document.createElement("div"), { textContent: text }))];
}

function numberForm({ id, number, label }: Row): HTMLFormElement {
  const form = document.createElement("form");
  const input = Object.assign(document.createElement("input"), { value: number, required: true, maxLength: 10 });
  input.setAttribute("aria-label", label ?? "");
  form.append(input, Object.assign(document.createElement("button"), { textContent: sides.dataset.save }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void fetch(`${location.pathname}/${id}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ number: input.value }),
    });
  });
  return form;
}

void look();
