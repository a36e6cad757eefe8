import { byId } from "./frame.ts";

export interface Question {
  title: string;
  lines: string[];
  yes: string;
  no: string;
}

/** Asks the person a question; true when the answer is yes. */
export function ask({ title, lines, yes, no }: Question): Promise<boolean> {
  const dialog = byId<HTMLDialogElement>("question");
  byId("question-title").textContent = title;
  byId("question-text").replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })),
  );
  byId("question-yes").textContent = yes;
  byId("question-no").textContent = no;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    byId("question-yes").onclick = () => dialog.close("yes");
    byId("question-no").onclick = () => dialog.close("no");
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}
