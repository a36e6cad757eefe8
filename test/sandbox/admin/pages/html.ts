/** Text that is HTML already; everything else is escaped where it is inserted. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insert = Html | string | number | null | undefined | false | Insert[];

export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Html {
  return new Html(strings.map((text, index) => text + rendered(inserts[index])).join(""));
}

function rendered(insert: Insert): string {
  if (insert === null || insert === undefined || insert === false) return "";
  if (Array.isArray(insert)) return insert.map(rendered).join("");
  return insert instanceof Html ? insert.text : escape(String(insert));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
