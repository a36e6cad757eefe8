/** What a Dockerfile of ours says: only the instructions that it uses. */

export type Step =
  | { kind: "run"; command: string }
  | { kind: "copy"; from: string | null; paths: string[]; to: string }
  | { kind: "env"; values: Record<string, string> }
  | { kind: "other"; instruction: string; text: string };

export interface Stage {
  name: string;
  image: string;
  steps: Step[];
}

/** @throws when a stage has no name, or a step stands before the first. */
export function readStages(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n");
  for (const line of lines) {
    const [, instruction, rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (!instruction || instruction === "ARG") continue;
    if (instruction === "FROM") {
      const [image = "", , name] = rest.split(" ");
      if (!name) throw new Error(`A stage of the Dockerfile has no name: ${line}`);
      stages.push({ name, image, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`A step of the Dockerfile stands before its first stage: ${line}`);
    stage.steps.push(stepOf(instruction, rest));
  }
  return stages;
}

function stepOf(instruction: string, text: string): Step {
  if (instruction === "RUN") return { kind: "run", command: text };
  if (instruction === "ENV")
    return {
      kind: "env",
      values: Object.fromEntries(text.split(" ").map((pair) => pair.split("=") as [string, string])),
    };
  if (instruction !== "COPY") return { kind: "other", instruction, text };
  const words = text.split(" ");
  const from = words[0]?.startsWith("--from=") ? words.shift()!.slice("--from=".length) : null;
  return { kind: "copy", from, paths: words.slice(0, -1), to: words.at(-1)! };
}
