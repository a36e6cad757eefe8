import type { Flow, FlowRun } from "../flow.ts";
import type { AdminState, ShopState } from "../state.ts";
import { html } from "./html.ts";
import { page } from "./layout.ts";

/** Shopify Flow: the app's actions, each to be run as a workflow would, and what became of the runs. */
export function flowPage({ state, shop, flow, problem }: FlowPage): string {
  const { words } = state;
  const base = `/store/${shop.handle}/flow`;
  const runs = flow.runs.filter((run) => run.shop === shop.domain).toReversed();
  return page({
    state,
    shop,
    section: "flow",
    title: words.flow.title,
    body: html`<p>${words.flow.about}</p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : null}
      ${flow.actions.map(
        (action) =>
          html`<form class="card" method="post" action="${base}/${action.handle}">
            <h2>${action.name}</h2>
            <div class="fields">
              ${action.fields.map(
                ({ key, name }) => html`<label for="${key}">${name}</label> <input id="${key}" name="${key}" />`,
              )}
              <div class="actions"><button class="primary">${words.flow.run}</button></div>
            </div>
          </form>`,
      )}
      <h2>${words.flow.runs}</h2>
      ${
        runs.length > 0
          ? html`<ul class="cards">
              ${runs.map(
                (run) =>
                  html`<li>
                    <strong>${run.action}</strong>
                    <span>${Object.values(run.properties).join(", ")} · ${answerOf(run)}</span>
                    <span class="badge ${run.outcome === "done" ? "good" : ""}"
                      >${words.flow.outcome[run.outcome]}</span
                    >
                  </li>`,
              )}
            </ul>`
          : html`<p class="card">${words.flow.none}</p>`
      }`,
  });
}

interface FlowPage {
  state: AdminState;
  shop: ShopState;
  flow: Flow;
  problem?: string | undefined;
}

/** What the log of a workflow's run shows of the app's answer. */
function answerOf({ attempts }: FlowRun): string {
  const last = attempts.at(-1);
  if (!last) return "";
  const { message } = JSON.parse(last.body || "{}") as { message?: string };
  return [last.status ?? "–", message].filter(Boolean).join(" ");
}
