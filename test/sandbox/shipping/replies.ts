/** Replies as data, before any of them is written to a socket. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function json(status: number, value: unknown): Reply {
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body: JSON.stringify(value) };
}

export function html(status: number, title: string): Reply {
  const body = `<!doctype html>\n<html lang="es"><head><title>${title}</title></head><body><h1>${title}</h1><hr><p>edge</p></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

export function empty(status: number): Reply {
  return { status, headers: {}, body: "" };
}

/** docs/shipping-interface.md, 2.6, token error. */
export function tokenError(status: number, error: string): Reply {
  return json(status, { error, error_description: TOKEN_ERRORS[error] ?? "La solicitud no es válida." });
}

const TOKEN_ERRORS: Record<string, string> = {
  invalid_request: "Faltan credenciales o parámetros obligatorios en la solicitud.",
  invalid_client:
    "La autenticación del cliente falló: cliente desconocido, sin autenticación incluida o método de autenticación no admitido.",
  invalid_grant: "El token de actualización no es válido, expiró, fue revocado o pertenece a otro cliente.",
  invalid_scope: "El alcance solicitado no es válido, es desconocido o está mal formado.",
  invalid_redirect_uri: "La URI de redirección no coincide con la registrada para la aplicación.",
  unsupported_grant_type: "El servidor de autorización no admite este tipo de concesión.",
  unauthorized_client: "El cliente no está autorizado para revocar este token.",
};
