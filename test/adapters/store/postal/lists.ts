import { gzipSync } from "node:zlib";
import { STATES } from "../../../../app/domain/mexico/states.ts";

/** Small lists of postal codes in each of the published forms, written by hand: the same three codes, or one code of each state. */

const LEGAL =
  "El Catálogo Nacional de Códigos Postales, es elaborado por Correos de México y se proporciona en forma gratuita para uso particular.";

const POST_OFFICE_NAMES =
  "d_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad|d_CP|c_estado|c_oficina|c_CP|c_tipo_asenta|c_mnpio|id_asenta_cpcons|d_zona|c_cve_ciudad";

/** The post office's catalogue, as it comes: Windows-1252, two lines above the rows, and CR LF. */
export const POST_OFFICE = windows1252(
  [
    LEGAL,
    POST_OFFICE_NAMES,
    "06700|Roma Norte|Colonia|Cuauhtémoc|Ciudad de México|Ciudad de México|06401|09|06401||09|015|0693|Urbano|06",
    "77500|Cancún Centro|Colonia|Benito Juárez|Quintana Roo|Cancún|77501|23|77501||09|005|0265|Urbano|01",
    "77500|Puerto Juárez|Zona urbana|Benito Juárez|Quintana Roo|Cancún|77501|23|77501||37|005|0266|Urbano|01",
    "45900|Chapala Centro|Colonia|Chapala|Jalisco|Chapala|45901|14|45901||09|030|0001|Urbano|11",
    "",
  ].join("\r\n"),
);

export const GEONAMES = [
  "MX\t06700\tRoma Norte\tCiudad de México\t09\tCuauhtémoc\t015\tCiudad de México\t06\t19.41\t-99.16\t4",
  "MX\t77500\tCancún Centro\tQuintana Roo\t23\tBenito Juárez\t005\tCancún\t01\t21.16\t-86.85\t1",
  "MX\t77500\tPuerto Juárez\tQuintana Roo\t23\tBenito Juárez\t005\tCancún\t01\t21.16\t-86.85\t1",
  "MX\t45900\tChapala Centro\tJalisco\t14\tChapala\t030\tChapala\t11\t20.29\t-103.19\t1",
  "",
].join("\n");

export const TABLE = [
  "postal_code\tstate\tmunicipality\tcity\tsettlement_type\tsettlement",
  "06700\tCiudad de México\tCuauhtémoc\tCiudad de México\tColonia\tRoma Norte",
  "77500\tQuintana Roo\tBenito Juárez\tCancún\tColonia\tCancún Centro",
  "77500\tQuintana Roo\tBenito Juárez\tCancún\tZona urbana\tPuerto Juárez",
  "45900\tJalisco\tChapala\tChapala\tColonia\tChapala Centro",
  "",
].join("\n");

export const TABLE_GZ = gzipSync(TABLE);

/** The tax authority's sheets as a spreadsheet saves them: a title above, quotes where a name has a comma, zeros in front lost. */
export const TAX_SHEETS: Record<string, string> = {
  "codes.csv": csv(
    ["c_CodigoPostal;;;;", ";;;;"],
    ["c_CodigoPostal,c_Estado,c_Municipio,c_Localidad,Descripción del Huso Horario"],
    ['6700,DIF,15,06,"Centro, Sur"', "77500,ROO,005,01,Sureste", "45900,JAL,030,11,Centro"],
  ),
  "colonias.csv": csv(
    ["Catálogo de colonias,,"],
    ["c_Colonia,c_CodigoPostal,Nombre del asentamiento"],
    ["0693,6700,Roma Norte", "0265,77500,Cancún Centro", "0266,77500,Puerto Juárez", "0001,45900,Chapala Centro"],
  ),
  "municipios.csv": csv(
    [],
    ["c_Municipio,c_Estado,Descripción"],
    ["015,DIF,Cuauhtémoc", "5,ROO,Benito Juárez", "030,JAL,Chapala"],
  ),
  "localidades.csv": csv(
    [],
    ["c_Localidad,c_Estado,Descripción"],
    ["06,DIF,Ciudad de México", "1,ROO,Cancún", "11,JAL,Chapala"],
  ),
  "estados.csv": csv(
    [],
    ["c_Estado,c_Pais,Nombre del estado"],
    ["DIF,MEX,Ciudad de México", "ROO,MEX,Quintana Roo", "JAL,MEX,Jalisco", "CA,USA,California"],
  ),
};

function csv(...parts: string[][]): string {
  return `${parts.flat().join("\r\n")}\r\n`;
}

function windows1252(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** A code of each state with one settlement, as a table; a list of the whole country, but for its size. */
export function tableOfCountry(name: string, codesEach = 1): string {
  const rows = STATES.flatMap((state) =>
    Array.from({ length: codesEach }, (_, nth) => {
      const code = state.postalPrefixes[0]! + String(nth).padStart(3, "0");
      return `${code}\t${state.name}\t${state.name}\t\t\t${name} ${nth}`;
    }),
  );
  return `postal_code\tstate\tmunicipality\tcity\tsettlement_type\tsettlement\n${rows.join("\n")}\n`;
}
