// What a visitor of the demo may do with one press, and both sides at once.
import express from "express";
import type { Response } from "express";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import { sandboxClient } from "../shipping/options.ts";
import type { Admin, ShippingControl } from "./admin.ts";
import { sideBySidePage } from "./pages/side-by-side.ts";
import { shownLines } from "./pages/shown-lines.ts";
import type { LocationRecord, ShopState } from "./state.ts";

const DELIMITER = "\u2060";
/** Two streets of one neighborhood between which a location moves to and fro. */
const STREETS = ["Calle Colima", "Calle Tonalá"];
/** The carrier that refuses; one that the demo asks. */
const CARRIER = "dhl";
const REFUSES = "rejected";
/** What somebody writes into a template's reference, one after the other. */
const REFERENCES = ["Timbre azul, segundo piso", "Portón de madera, tocar fuerte"];

interface Done {
  said: string;
  /** Where what was done is to be seen. */
  link?: { href: string; text: string };
}

export function playRoutes(router: express.Router, admin: Admin): void {
  router.get("/store/:handle/side-by-side", (_request, response) => {
    response.send(sideBySidePage(admin.state, shopOf(response)));
  });
  router.get("/store/:handle/side-by-side.json", (_request, response) => {
    response.json(bothSides(admin, shopOf(response)));
  });
  router.post("/store/:handle/side-by-side/:id", express.json(), (request, response) => {
    const shop = shopOf(response);
    const location = shop.locations.get(Number(request.params.id));
    if (!location) return void response.status(404).json({});
    const { number } = request.body as { number?: unknown };
    const [street = ""] = (location.address.address1 ?? "").split(DELIMITER);
    moveTo(admin, shop, { location, street: street.trimEnd(), number: String(number ?? "").trim() });
    response.json({});
  });
  const acts: Record<string, (shop: ShopState) => Done | Promise<Done>> = {
    move: (shop) => move(admin, shop),
    "edit-book": (shop) => editBook(admin, shop),
    switch: () => switchService(admin),
    refuse: () => refuse(admin),
  };
  router.get("/store/:handle/play", (_request, response) => void response.json({ labels: labelsOf(admin) }));
  router.post("/store/:handle/play/:act", async (request, response) => {
    const act = acts[request.params.act];
    if (!act || !admin.state.hasPlayBar) return void response.status(404).json({});
    const done = await act(shopOf(response));
    response.json({ ...done, labels: labelsOf(admin) });
  });
}

/** What the buttons say that do and undo, as the service is now. */
function labelsOf(admin: Admin): Record<string, string> {
  const { play } = admin.state.words;
  const service = serviceOf(admin);
  return {
    switch: service.report().up ? play.switchOff : play.switchOn,
    refuse: service.configure({}).verification.verdicts[CARRIER] === REFUSES ? play.accept : play.refuse,
  };
}

function move(admin: Admin, shop: ShopState): Done {
  const { play } = admin.state.words;
  const location = movable(shop);
  if (!location) return { said: play.nothing };
  const [was = ""] = (location.address.address1 ?? "").split(DELIMITER);
  const street = STREETS.find((name) => name !== was.trimEnd())!;
  const number = String(100 + Math.floor(Math.random() * 800));
  moveTo(admin, shop, { location, street, number });
  return { said: play.moved(location.name, `${street} ${number}`) };
}

function editBook(admin: Admin, shop: ShopState): Done {
  const { play } = admin.state.words;
  const template = templatesOf(admin, shop)[0];
  if (!template) return { said: play.nothing };
  const reference = REFERENCES.find((words) => words !== template.address.reference)!;
  serviceOf(admin).editTemplate(template.id, { address_attributes: { reference } });
  const origin = [...shop.locations.values()].find(({ name }) => template.alias_name.startsWith(name));
  const link = origin && {
    href: `/store/${shop.handle}/apps/${admin.state.config.handle}/app/origins/${origin.id}`,
    text: play.openOrigin(origin.name),
  };
  return { said: play.edited(withoutMarker(template.alias_name)), ...(link && { link }) };
}

async function switchService(admin: Admin): Promise<Done> {
  const { play } = admin.state.words;
  const service = serviceOf(admin);
  const { up } = service.report();
  await (up ? service.goDown() : service.comeUp());
  return { said: up ? play.off : play.on };
}

function refuse(admin: Admin): Done {
  const { play } = admin.state.words;
  const service = serviceOf(admin);
  const { [CARRIER]: word, ...others } = service.configure({}).verification.verdicts;
  const isRefusing = word === REFUSES;
  service.configure({ verification: { verdicts: isRefusing ? others : { ...others, [CARRIER]: REFUSES } } });
  return { said: isRefusing ? play.accepts("DHL") : play.refuses("DHL") };
}

function bothSides(admin: Admin, shop: ShopState): unknown {
  const { side } = admin.state.words;
  const { calls, mostInSecond, duplicates } = serviceOf(admin).report();
  const locations = [...shop.locations.values()].filter(({ isFulfillmentService }) => !isFulfillmentService);
  return {
    locations: locations.map((location) => ({
      id: location.id,
      name: location.name,
      lines: shownLines(admin.state.words, location.address),
      number: (location.address.address1 ?? "").split(DELIMITER)[1] ?? null,
      label: side.number(location.name),
    })),
    templates: templatesOf(admin, shop).map(({ id, alias_name: name, address }) => ({
      id,
      name: withoutMarker(name),
      lines: [
        [address.street1, address.street_number, address.apartment_number].filter(Boolean).join(" "),
        [address.area_level3, address.postal_code, address.area_level2].filter(Boolean).join(", "),
        [address.name, address.phone, address.reference].filter(Boolean).join(" · "),
      ],
    })),
    report: side.report(calls, mostInSecond, duplicates.total),
  };
}

/** As pages of the app show it. */
function withoutMarker(alias: string): string {
  return alias.replace(/\s*\[OR-[^\]]+\]$/, "");
}

function moveTo(
  { locations }: Admin,
  shop: ShopState,
  { location, street, number }: { location: LocationRecord; street: string; number: string },
): void {
  locations.change(shop, location.id, { address: { address1: number ? `${street} ${DELIMITER}${number}` : street } });
}

/** The first location whose street and number stand apart, as in Shopify's own form: its new address needs nobody's confirmation. */
function movable(shop: ShopState): LocationRecord | undefined {
  return [...shop.locations.values()].find(
    ({ isActive, address }) => isActive && address.address1?.includes(DELIMITER),
  );
}

function templatesOf(admin: Admin, shop: ShopState): AddressTemplate[] {
  const { clientId } = sandboxClient("production", [...admin.state.shops.values()].indexOf(shop) + 1);
  return serviceOf(admin).templates(clientId, "production") as unknown as AddressTemplate[];
}

function serviceOf({ shipping }: Admin): ShippingControl {
  if (!shipping) throw new Error("No stand-in of the shipping service runs here");
  return shipping;
}

function shopOf(response: Response): ShopState {
  return response.locals.shop as ShopState;
}
