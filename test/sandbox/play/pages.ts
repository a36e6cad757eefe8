import type { BookView, TemplateView } from "../../../app/views/address-book.ts";
import type { HomeView } from "../../../app/views/home.ts";
import type { OriginView } from "../../../app/views/origin.ts";
import type { OriginsView } from "../../../app/views/origins.ts";
import type { ReviewView } from "../../../app/views/review.ts";
import type { SettingsView } from "../../../app/views/settings.ts";
import type { OriginAnswer, OriginIntent } from "../../../app/components/origin/origin-intent.ts";
import type { ReviewAnswer, ReviewIntent } from "../../../app/components/review/review-intent.ts";
import type { SettingsReply, SettingsRequest } from "../../../app/components/settings/settings-actions.ts";
import type { TemplateAnswer, TemplateIntent } from "../../../app/components/address-book/template-intent.ts";
import { STEP_MS } from "../../patience.ts";
import type { Visitor } from "./visitor.ts";

/** The app's pages as an owner meets them over HTTP, by name. Each rejects when the app does not answer. */

const HOME = "routes/app._index";
const ORIGINS = "routes/app.origins._index";
const ORIGIN = "routes/app.origins.$locationId";
const SETTINGS = "routes/app.settings";
const REVIEW = "routes/app.review";
const BOOK = "routes/app.address-book._index";
const TEMPLATE = "routes/app.address-book.$templateId";
const NEW_TEMPLATE = "routes/app.address-book.new";

type Shop = { visitor: Visitor };

export const home = async ({ visitor }: Shop) =>
  (await patiently(visitor.load<{ home: HomeView }>("/app?index", HOME))).home;

/** All rows, whatever the page's length. */
export async function originRows({ visitor }: Shop): Promise<OriginsView["rows"]> {
  const load = async (page: number) =>
    (await patiently(visitor.load<{ view: OriginsView }>(`/app/origins?page=${page}`, ORIGINS))).view;
  const first = await load(1);
  const rows = [...first.rows];
  for (let page = 2; page <= first.pages; page += 1) rows.push(...(await load(page)).rows);
  return rows;
}

export const origin = async ({ visitor }: Shop, id: number) =>
  (await patiently(visitor.load<{ view: OriginView }>(`/app/origins/${id}`, ORIGIN))).view;

export const askOrigin = ({ visitor }: Shop, id: number, intent: OriginIntent) =>
  patiently(visitor.submit<OriginAnswer>(`/app/origins/${id}`, ORIGIN, intent));

export const settings = ({ visitor }: Shop) => patiently(visitor.load<SettingsView>("/app/settings", SETTINGS));

export const askSettings = ({ visitor }: Shop, request: SettingsRequest) =>
  patiently(visitor.submit<SettingsReply>("/app/settings", SETTINGS, request));

export const review = async ({ visitor }: Shop) =>
  (await patiently(visitor.load<{ view: ReviewView }>("/app/review", REVIEW))).view;

export const askReview = ({ visitor }: Shop, intent: ReviewIntent) =>
  patiently(visitor.submit<ReviewAnswer>("/app/review", REVIEW, intent));

export const book = async ({ visitor }: Shop) =>
  (await patiently(visitor.load<{ view: BookView }>("/app/address-book", BOOK))).view;

export const template = ({ visitor }: Shop, templateId: string) =>
  patiently(
    visitor.load<{ view: TemplateView; draftId: string }>(
      `/app/address-book/${encodeURIComponent(templateId)}`,
      TEMPLATE,
    ),
  );

export const askTemplate = ({ visitor }: Shop, templateId: string, intent: TemplateIntent) =>
  patiently(visitor.submit<TemplateAnswer>(`/app/address-book/${encodeURIComponent(templateId)}`, TEMPLATE, intent));

export const newDraftId = async ({ visitor }: Shop) =>
  (await patiently(visitor.load<{ draftId: string }>("/app/address-book/new", NEW_TEMPLATE))).draftId;

export const askNewTemplate = ({ visitor }: Shop, intent: TemplateIntent) =>
  patiently(visitor.submit<TemplateAnswer>("/app/address-book/new", NEW_TEMPLATE, intent));

async function patiently<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the page did not come")), STEP_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
