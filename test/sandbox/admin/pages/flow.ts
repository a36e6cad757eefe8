import type { Flow, FlowRun } from "../flow.ts";
import type { FlowArrival, FlowTriggers } from "../flow-triggers.ts";
import type { AdminState, ShopState } from "../state.ts";
import { html } from "./html.ts";
import { page } from "./layout.ts";

/** Shopify Flow: the app's actions, each to be run as a workflow would, its triggers, and what became of the runs and what arrived. */
export function flowPage({ state, shop, flow, flowTriggers, problem }: FlowPage): string {
  const { words } = state;
  const base = `/store/${shop.handle}/flow`;
  const runs = flow.runs.filter((run) => run.shop === shop.domain).toReversed();
  const arrived = flowTriggers.arrived.filter((one) => one.shop === shop.domain).toReversed();
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
      }
      <h2>${words.flow.triggers}</h2>
      <p>${words.flow.aboutTriggers}</p>
      <ul class="cards">
        ${flowTriggers.triggers.map(({ name, handle }) => {
          const is = flowTriggers.isUsed(shop, handle) ? "on" : "off";
          const turn = is === "on" ? "off" : "on";
          return html`<li>
            <strong>${name}</strong>
            <span><span class="badge ${is === "on" ? "good" : ""}">${words.flow.state[is]}</span></span>
            <form method="post" action="${base}/triggers/${handle}">
              <button name="is" value="${turn}" aria-label="${words.flow.turn[turn]}: ${name}">
                ${words.flow.turn[turn]}
              </button>
            </form>
          </li>`;
        })}
      </ul>
      <h2>${words.flow.arrived}</h2>
      ${
        arrived.length > 0
          ? html`<ul class="cards">
              ${arrived.map(
                (one) =>
                  html`<li>
                    <strong>${one.handle}</strong>
                    <span>${saidOf(one)}</span>
                  </li>`,
              )}
            </ul>`
          : html`<p class="card">${words.flow.nothingArrived}</p>`
      }`,
  });
}

interface FlowPage {
  state: AdminState;
  shop: ShopState;
  flow: Flow;
  flowTriggers: FlowTriggers;
  problem?: string | undefined;
}

/** All that an event says, but its id and where it leads. */
function saidOf({ payload }: FlowArrival): string {
  const { "Event ID": _id, Page: _page, "Location ID": _location, ...said } = payload;
  return Object.values(said).filter(Boolean).join(" · ");
}

/** What the log of a workflow's run shows of the app's answer. */
function answerOf({ attempts }: FlowRun): string {
  const last = attempts.at(-1);
  if (!last) return "";
  const { message } = JSON.parse(last.body || "{}") as { message?: string };
  return [last.status ?? "–", message].filter(Boolean).join(" ");
}
