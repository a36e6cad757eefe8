// A store as real ones are: addresses typed in Shopify's form and in free text, two of them unfinished, one a fulfilment service's.
import type { LocationInput } from "../admin/locations.ts";
import type { FulfillmentOrderRecord, LocationAddress, OrderRecord } from "../admin/state.ts";

const DAY_MS = 24 * 3600 * 1000;

const mexican = (address: Partial<LocationAddress>): Partial<LocationAddress> => ({ countryCode: "MX", ...address });

export const DEFAULT_LOCATIONS: LocationInput[] = [
  {
    name: "Tienda Roma Norte",
    address: mexican({
      address1: "Calle Tonalá \u2060118",
      address2: "\u2060Roma Norte",
      city: "Cuauhtémoc",
      provinceCode: "DF",
      zip: "06700",
      phone: "+52 55 5264 0101",
    }),
  },
  {
    name: "Bodega Monterrey",
    address: mexican({
      address1: "Av. Ruiz Cortines #2340 Int. 5",
      address2: "Col. Mitras Norte",
      city: "Monterrey",
      provinceCode: "NL",
      zip: "64320",
      phone: "81 8371 0202",
    }),
  },
  {
    name: "Sucursal Coyoacán",
    address: mexican({
      address1: "Francisco Sosa 212, Col. Del Carmen",
      address2: "Coyoacán",
      city: "Ciudad de México",
      provinceCode: "DF",
      zip: "04100",
      phone: "044 55 5658 0303",
    }),
  },
  {
    name: "Almacén Mérida",
    address: mexican({
      address1: "Calle 60 #455 x 51 y 53",
      city: "Mérida",
      provinceCode: "YUC",
      zip: "97000",
      phone: null,
    }),
  },
  {
    name: "Taller Tlaquepaque",
    address: mexican({
      address1: "Independencia S/N",
      city: "Tlaquepaque",
      provinceCode: "JAL",
      zip: null,
      phone: "33 3639 0505",
    }),
  },
  {
    name: "Envíos del Bajío",
    isFulfillmentService: true,
    address: mexican({
      address1: "Carretera a Chichimequillas Km 4.5",
      address2: "Parque Industrial Querétaro",
      city: "Querétaro",
      provinceCode: "QRO",
      zip: "76220",
      phone: "442 240 0606",
    }),
  },
];

/** The store of the demo: six origins, so that Home shows five that are in order and one with a story. */
export const DEMO_LOCATIONS: LocationInput[] = [
  ...DEFAULT_LOCATIONS,
  {
    name: "Local Puebla",
    address: mexican({
      address1: "Calle 5 de Mayo \u2060310",
      address2: "\u2060Centro",
      city: "Puebla",
      provinceCode: "PUE",
      zip: "72000",
      phone: "222 242 0707",
    }),
  },
];

interface OrderPlan {
  customer: string;
  destination: string;
  total: string;
  ageDays: number;
  parts: { location: number; status: FulfillmentOrderRecord["status"]; lines: [quantity: number, title: string][] }[];
}

const PLANS: OrderPlan[] = [
  {
    customer: "Lucía Arriaga",
    destination: "Zapopan, JAL",
    total: "640.00",
    ageDays: 75,
    parts: [{ location: 0, status: "CLOSED", lines: [[1, "Jarra de barro bruñido"]] }],
  },
  {
    customer: "Óscar Peñaloza",
    destination: "Puebla, PUE",
    total: "1,180.00",
    ageDays: 6,
    parts: [{ location: 1, status: "IN_PROGRESS", lines: [[2, "Mantel de telar"]] }],
  },
  {
    customer: "Ximena Tovar",
    destination: "Mérida, YUC",
    total: "420.00",
    ageDays: 3,
    parts: [{ location: 3, status: "OPEN", lines: [[1, "Hamaca individual"]] }],
  },
  {
    customer: "Bruno Salcedo",
    destination: "León, GTO",
    total: "2,310.00",
    ageDays: 2,
    parts: [
      { location: 0, status: "OPEN", lines: [[3, "Taza de talavera"]] },
      { location: 4, status: "OPEN", lines: [[1, "Florero soplado"]] },
    ],
  },
  {
    customer: "Renata Quiroz",
    destination: "Tijuana, BC",
    total: "890.00",
    ageDays: 1,
    parts: [{ location: 2, status: "OPEN", lines: [[1, "Rebozo de algodón"]] }],
  },
  {
    customer: "Iker Montaño",
    destination: "Oaxaca, OAX",
    total: "310.00",
    ageDays: 0,
    parts: [{ location: 5, status: "OPEN", lines: [[1, "Juego de portavasos"]] }],
  },
];

/** Orders that leave from the store's locations, by their position in the list above; fewer locations, fewer orders. */
export function ordersFrom(locationIds: number[]): OrderRecord[] {
  return PLANS.filter((plan) => plan.parts.every((part) => locationIds[part.location] !== undefined)).map(
    (plan, index) => ({
      id: 5_500_000_000_001 + index,
      number: 1001 + index,
      createdAtMs: Date.now() - plan.ageDays * DAY_MS,
      customerName: plan.customer,
      destination: plan.destination,
      totalMxn: plan.total,
      fulfillmentOrders: plan.parts.map((part, position) => ({
        id: 6_600_000_000_001 + index * 10 + position,
        status: part.status,
        locationId: locationIds[part.location] ?? 0,
        snapshot: null,
        lines: part.lines.map(([quantity, title]) => ({ quantity, title })),
      })),
    }),
  );
}
