/**
 * The vocabulary of Mexican addresses: the words people write, folded (lower case, no accents, no closing dot). This file holds words only;
 * the readers of lines decide what they mean in a line.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Kinds of way that a street's name begins with. */
export const STREET_KINDS = words(`
  calle c cll av ave avda avenida blvd blv bvd blvr boulevard bulevar calz calzada carr carretera circ circuito cto cerrada
  cda cerr priv privada pvda prol prolongacion and andador ret retorno callejon cjon cjn camino cam paseo pso eje vial
  periferico perif libramiento lib autopista via viaducto vialidad anillo rinconada rcda glorieta pasaje peatonal diagonal
  diag brecha terraceria entronque acceso corredor costera malecon vereda ruta lateral sendero cuesta pza plaza
`);

/** Kinds of way that are never part of a colonia's name. */
export const WAYS = words(`
  calle c av ave avda avenida blvd boulevard bulevar calz calzada carr carretera prol prolongacion callejon andador autopista
  periferico
`);

/** Kinds of way whose name may be a bare number (`Calle 60`, `Retorno 4`) or a point of the compass with one (`Av. Norte 45`). */
export const NUMBERED_KINDS = words(`
  calle c cll av ave avda avenida eje vial cerrada cda cerr priv privada prol prolongacion and andador ret retorno circuito
  callejon cjon acceso sendero ruta
`);

/** Words after which a number is a road's, not a house's (`Carretera Federal 180`). */
export const ROUTE_WORDS = words(`carretera carr autopista federal fed estatal ruta`);

/** Ways outside towns, whose names hold figures. */
export const ROAD_KINDS = words(`carretera carr autopista camino libramiento brecha terraceria entronque km`);

/** Ways that need no name: a town has one (`Periférico 18464`). */
export const SELF_NAMED = words(`periferico perif libramiento malecon costera viaducto`);

/** Points of the compass as streets and house numbers carry them. */
export const DIRECTIONS = words(`
  norte nte sur oriente ote poniente pte este oeste noreste noroeste sureste suroeste nororiente norponiente surponiente
  suroriente
`);

/** Marks that only say "colonia"; they are not part of its name. */
export const COLONIA_MARKS = words(`col colonia`);

/** Kinds of neighbourhood that are part of its name. */
export const COLONIA_KINDS = [
  ..."fracc fraccionamiento frac fracto fraccto fto barrio bo ejido ej rancheria ra ranch rancho hacienda pueblo pblo".split(
    " ",
  ),
  ..."poblado pob sector coto condominio cond localidad loc comunidad congregacion cong tenencia supermanzana sm smz smza".split(
    " ",
  ),
  ..."agencia region residencial granja granjas puerto complejo desarrollo caserio paraje manzana seccion secc conj conjunto uh u.h".split(
    " ",
  ),
  ...[
    "ex ejido",
    "ex hacienda",
    "exhacienda",
    "exejido",
    "u hab",
    "u h",
    "unidad hab",
    "unidad habitacional",
    "super manzana",
  ],
  ...[
    "parque ind",
    "parque industrial",
    "pque ind",
    "pque industrial",
    "zona industrial",
    "zona ind",
    "zona federal",
    "zona centro",
  ],
  ...["zona hotelera", "zona turistica", "zona militar", "zona naval", "corredor industrial"],
  ...["zona central", "ciudad industrial", "cd industrial", "cd ind", "central de abasto", "central de abastos"],
].map((kind) => kind.split(" "));

/** Kinds of neighbourhood that are as often part of a road's name, so that a figure before them does not end the road's name. */
export const SOFT_KINDS = words(`
  puerto rancho hacienda granja granjas manzana seccion secc sector localidad loc conjunto conj desarrollo complejo coto
`);

/** Kinds that begin a colonia even in a line without a number so far, where softer kinds may belong to the street's name. */
export const STRONG_COLONIA = words(`col colonia fracc fraccionamiento`);

/** Manzana and lote; `tablaje` is Yucatán's. */
export const LOT_WORDS = ["mz", "mza", "mzna", "manz", "manzana", "lt", "lte", "lote", "lotes", "tablaje"];

/** Supermanzana: the colonia's name in Cancún; a part of the name beside a manzana. */
export const SUPER_CELLS = ["smz", "smza", "sm", "s.m", "supermanzana"];

/** Words that name a part of a building and are followed by what it is called (`Depto 4B`, `Piso 3`). */
export const INTERIOR_WORDS = words(`
  int interior depto dpto dep departamento apto apartamento ap piso local loc locales bodega bod bodegas nave naves oficina
  oficinas ofna ofic of despacho desp suite modulo mod consultorio cons casa edificio edif torre nivel cubiculo isla stand
  puesto pasillo anden puerta almacen accesoria acc cuarto habitacion letra ala fraccion caseta plaza mercado bloque blq
  terminal kiosco kiosko subancla sala hangar taller area espacio
`);

/** Words of a part of a building that keep this meaning before the house number, too. */
export const PLAIN_INTERIORS = words(`
  int interior depto dpto departamento local loc bodega bod despacho desp oficina suite consultorio
`);

/** Parts of a building that need no name. */
export const INTERIOR_ALONE = words(`pb p.b pa p.a ph penthouse sotano mezzanine mezanine altos bajos`);

/** Parts of a building that are called by a name as well as by a number (`Torre Reforma`). */
export const NAMED_BUILDINGS = words(`edificio edif torre plaza mercado`);

/** Marks that only say "interior number"; they are not part of its value. */
export const INTERIOR_MARKS = words(`int interior`);

/** Marks of the exterior number. */
export const NUMBER_MARKS = words(`# no nº n° num numero nro ext exterior`);

/** Floors and units counted by a word (`Segundo piso`). */
export const ORDINALS = words(`
  primer primero segundo tercer tercero cuarto quinto sexto septimo octavo noveno decimo 1er 1ero 1ro 2o 2do 2° 1° 3er 3ro 3°
  4to 4o 4° 5to 5o 5° 6to 6o 7mo 7o 8vo 8o 9no 9o 10o
`);

/** Months, for streets called by a date. */
export const MONTHS = words(`
  enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
`);

/** Words before cross streets (`esq. Morelos`, `x 61 y 63`). */
export const CROSSINGS = words(`x por entre e/ esq esquina casi`);

/** Words for a shop's premises, which are no name of a colonia. */
export const PREMISES = words(`
  sucursal matriz bodega almacen tienda oficina oficinas planta cedis showroom taller fabrica corporativo local negocio
  recepcion entrada estacionamiento
`);

/** A colonia's name without `Col.` or `Colonia` in front of it. */
export function withoutColoniaMark(text: string): string {
  return text.replace(/^(?:\s*col(?:onia|(?=[.\s:]))[.:]?\s+(?=\S)|\s*col\.(?=\S))+/iu, "");
}

/** A colonia's folded words without the kinds in front of them, for comparing: `Fracc. Las Palmas` gives `las palmas`. */
export function withoutColoniaKind(words: string[]): string[] {
  for (let from = 0; ;) {
    const kind = COLONIA_KINDS.filter((of) => of.every((part, index) => words[from + index] === part)).at(-1);
    const front = kind?.length ?? (COLONIA_MARKS.has(words[from] ?? "") ? 1 : 0);
    if (front === 0 || words.length - from <= front) return words.slice(from);
    from += front;
  }
}

/** A street's name without the kind of way in front of it, however it was abbreviated. */
export function withoutStreetKind(text: string): string {
  const [first = "", ...rest] = text.trim().split(/\s+/);
  const kind = first
    .normalize("NFD")
    .replace(/[\p{M}.]/gu, "")
    .toLowerCase();
  return rest.length > 0 && STREET_KINDS.has(kind) ? rest.join(" ") : text;
}
