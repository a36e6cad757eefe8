import type { ActionFunctionArgs } from "@remix-run/node";
import type { FlowRefusal } from "../../flow/verify-for-flow.ts";
import { readFlowRequest, refused } from "../../http/flow-request.server.ts";
import { services } from "../../services.server.ts";
import { perform } from "./perform.ts";
import { flowVerification } from "./schema.ts";

/** The action's handle in extensions/flow-verify-origin. */
const HANDLE = "verify-origin";

/** The log of a workflow's run is in the language of whoever made the workflow, which nobody tells the app; so it has both. */
const REFUSALS: Record<FlowRefusal, { status: number; message: string }> = {
  unknown_shop: {
    status: 404,
    message: "Origen is not installed in this store. / Origen no está instalado en esta tienda.",
  },
  unknown_origin: {
    status: 404,
    message: "No location has this name or ID. / Ninguna sucursal tiene este nombre o ID.",
  },
  ambiguous: {
    status: 409,
    message:
      "Several locations have this name. Use the ID of one. / Varias sucursales se llaman así. Usa el ID de una.",
  },
  not_saved: {
    status: 422,
    message:
      "This location has no address in your account yet. / Esta sucursal todavía no tiene dirección en tu cuenta.",
  },
  no_carriers: {
    status: 422,
    message:
      "No carriers are chosen in Origen’s Settings. / No hay paqueterías elegidas en la Configuración de Origen.",
  },
  test_account: {
    status: 422,
    message:
      "Origen uses the test account now. Connect the production account or switch to it in Origen’s Settings. / Origen usa ahora la cuenta de pruebas. Conecta la de producción o cambia a ella en la Configuración de Origen.",
  },
  not_connected: {
    status: 422,
    message: "Your account is not connected. Open Origen. / Tu cuenta no está conectada. Abre Origen.",
  },
};

/**
 * Shopify Flow's action *Verify an origin*. 200 says that the carriers are being asked, and not what they answer, which may take days. The
 * same run is asked once however often Flow repeats it. A fault of ours is a 5xx, so that Flow comes again.
 */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return refused(405, "Flow sends this with POST");
  const read = await readFlowRequest(request, flowVerification);
  if (read instanceof Response) return read;
  // Another action's body, signed for another address of this app.
  if (read.asked.handle !== HANDLE) return refused(404, "This is another action's");
  const outcome = await perform(services, read);
  if (outcome.kind === "asked") return Response.json({}, { headers: { "Cache-Control": "no-store" } });
  const { status, message } = REFUSALS[outcome.why];
  return refused(status, message);
}

export const loader = () => refused(405, "Flow sends this with POST");
