import { ROWS, TEMPLATE_ID, TOKEN } from "./contender.ts";

/** What a bare server answers, made once. */

const template = (id: string) => ({
  id,
  alias_name: "Bodega 1 [shopify:1]",
  address_type: "from",
  default: false,
  address: {
    country_code: "MX",
    postal_code: "44160",
    area_level1: "Jalisco",
    area_level2: "Guadalajara",
    area_level3: "Americana",
    street1: "Avenida Vallarta",
    street_number: "1234",
    apartment_number: null,
    name: "Ana Pérez",
    company: "Cerámica de Tonalá",
    phone: "+523336150000",
    email: "ana@example.com",
    reference: "Portón verde",
    rfc: null,
    tax_id_number: null,
    tax_id_type: null,
  },
  verified_carriers: ["fedex", "dhl", "estafeta"].map((carrier_name) => ({
    carrier_name,
    status: "verified",
    update_state: "completed",
    verification_id: "5f0c1c9e-0000-4000-8000-000000000000",
  })),
});

/** One template. */
export const ONE = Buffer.from(JSON.stringify({ data: template(TEMPLATE_ID) }));
const rows = Array.from({ length: ROWS }, (_, index) => template(TEMPLATE_ID.replace(/1$/, index.toString(36))));
const meta = { current_page: 1, total_pages: 1, total_count: ROWS };
/** A page of the book. */
export const PAGE = Buffer.from(JSON.stringify({ data: rows, meta }));
/** The answer to a request for a token. */
export const TOKENS = Buffer.from(JSON.stringify({ access_token: TOKEN, token_type: "Bearer", expires_in: 86_400 }));
