import type { PostalFacts } from "../../../app/domain/mexico/postal-codes.ts";
import type { AddressRow } from "./address-row.ts";
import type { Chance } from "./chance.ts";
import { KINDS, NAMES, PLAZAS, ROADS, WAYS } from "./fresh-words.ts";

/**
 * Addresses that nobody has read: a settlement of the list with a street, a number and an interior drawn from what Mexican directories hold.
 * Each draw is another address, so a rule that fits some rows only does not fit these.
 */
export function freshRows(
  codes: readonly PostalFacts[],
  { count, chance }: { count: number; chance: Chance },
): AddressRow[] {
  const usable = codes.filter(
    ({ state, municipality, settlements }) => state && municipality && settlements.length > 0,
  );
  return Array.from({ length: count }, () => freshRow(usable[Math.floor(chance.next() * usable.length)]!, chance));
}

const one = <T>(from: readonly T[], chance: Chance): T => from[Math.floor(chance.next() * from.length)]!;

function freshRow(of: PostalFacts, chance: Chance): AddressRow {
  const colonia = one(of.settlements, chance).name;
  const place = drawPlace(chance);
  return {
    ...place,
    colonia,
    colonia_type: chance.pick(KINDS),
    municipality: of.municipality!,
    state: of.state!,
    postal_code: of.code,
    tags: ["fresh"],
  };
}

type Where = Pick<AddressRow, "street" | "number" | "interior">;

function drawPlace(chance: Chance): Where {
  const shape = chance.pick<() => Where>([
    [() => ({ street: drawStreet(chance), number: drawNumber(chance), interior: drawInterior(chance) }), 76],
    [() => ({ street: one(ROADS, chance), number: drawKm(chance), interior: drawInterior(chance) }), 6],
    [() => ({ street: `${one(ROADS, chance)} ${drawKm(chance)}`, number: "SN", interior: drawInterior(chance) }), 3],
    [() => ({ street: `${one(ROADS, chance)} ${drawKm(chance)}`, number: whole(chance, 999), interior: null }), 1],
    [() => ({ street: drawNumbered(chance), number: whole(chance, 999), interior: drawInterior(chance) }), 7],
    [() => ({ street: drawNumbered(chance), number: "SN", interior: drawInterior(chance) }), 1],
    [() => ({ street: drawStreet(chance), number: drawManzana(chance), interior: drawLote(chance) }), 3],
    [() => ({ street: `${drawStreet(chance)} ${drawManzana(chance)}`, number: "SN", interior: null }), 1],
    [() => ({ street: drawStreet(chance), number: drawLote(chance), interior: null }), 1],
    [() => ({ street: one(ROADS, chance), number: "SN", interior: drawInterior(chance) }), 3],
  ]);
  const { street, number, interior } = shape();
  const [inCapitals, accents] = [chance.next() < 0.5, chance.next() < 0.6];
  const kept = (text: string) => (accents ? text : withoutAccents(text));
  const spelled = (text: string) => (inCapitals ? kept(text).toLocaleUpperCase("es") : kept(text));
  return { street: spelled(street), number: spelled(number!), interior: interior && spelled(interior) };
}

/** Accents go, ñ stays. */
const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/(?<![nN])\p{M}|\u0301/gu, "")
    .normalize("NFC");

const whole = (chance: Chance, most: number): string => String(1 + Math.floor(chance.next() * most));

function drawStreet(chance: Chance): string {
  return `${chance.pick(WAYS)} ${one(NAMES, chance)}`.trim();
}

/** Streets that are called by a number. */
function drawNumbered(chance: Chance): string {
  return chance.pick<() => string>([
    [() => `Calle ${whole(chance, 120)}`, 40],
    [() => `Calle ${whole(chance, 120)}-${one([..."ABCD"], chance)}`, 4],
    [() => `Calle ${whole(chance, 60)} ${one(["Sur", "Norte", "Poniente", "Oriente"], chance)}`, 10],
    [() => `Avenida ${whole(chance, 60)} ${one(["Norte", "Sur", "Poniente"], chance)}`, 12],
    [() => `Av. ${one(["Norte", "Sur"], chance)} ${whole(chance, 60)}`, 3],
    [() => `${one(["Oriente", "Poniente", "Norte", "Sur"], chance)} ${whole(chance, 200)}`, 15],
    [() => `${whole(chance, 40)} Poniente`, 8],
    [() => `Eje ${whole(chance, 9)} Sur`, 6],
    [() => `Calle ${whole(chance, 60)} (${drawStreet(chance)})`, 2],
    [() => `Privada ${whole(chance, 9)}a. ${one(NAMES, chance)}`, 2],
  ])();
}

function drawNumber(chance: Chance): string {
  return chance.pick<() => string>([
    [() => whole(chance, 4_000), 76],
    [() => `${whole(chance, 900)}-${one([..."ABC"], chance)}`, 3],
    [() => `${whole(chance, 900)}${one([..."ABCDE"], chance)}`, 4],
    [() => `${whole(chance, 900)} ${one([..."ABC"], chance)}`, 1],
    [() => `${whole(chance, 900)} Bis`, 1],
    [() => `${whole(chance, 900)} ${one(["Norte", "Sur", "Pte.", "Ote."], chance)}`, 3],
    [() => "SN", 13],
    [() => "Sin número", 1],
  ])();
}

function drawKm(chance: Chance): string {
  const [km, part] = [whole(chance, 300), one(["", ".5", "+200", "", ".25", "+500", ""], chance)];
  return `${one(["Km", "Km.", "Kilómetro", "K.M."], chance)} ${km}${part}`;
}

const drawManzana = (chance: Chance): string =>
  `${one(["Mz", "Mz.", "Manzana", "Mza"], chance)} ${one([whole(chance, 60), whole(chance, 60), one([..."ABCDEQ"], chance)], chance)}`;

const drawLote = (chance: Chance): string => `${one(["Lt", "Lt.", "Lote", "Lte"], chance)} ${whole(chance, 40)}`;

function drawInterior(chance: Chance): string | null {
  const local = () =>
    `${one(["Local", "Loc", "Loc.", "Local No."], chance)} ${one([whole(chance, 40), `${one([..."ABC"], chance)}${whole(chance, 9)}`], chance)}`;
  return chance.pick<() => string | null>([
    [() => null, 140],
    [() => whole(chance, 30), 12],
    [() => one([..."ABCDE"], chance), 8],
    [local, 12],
    [() => `${local()}, ${one(PLAZAS, chance)}`, 5],
    [() => `${one(PLAZAS, chance)}, ${local()}`, 2],
    [() => `${local()} y ${whole(chance, 40)}`, 2],
    [() => `Piso ${whole(chance, 12)}`, 6],
    [() => `${one(["1er", "2do", "3er"], chance)} Piso`, 1],
    [() => `Depto ${whole(chance, 400)}`, 6],
    [() => `Int. ${whole(chance, 40)}`, 3],
    [() => `Piso ${whole(chance, 9)}, Oficina ${whole(chance, 900)}`, 2],
    [() => `Edificio ${one([..."ABCT"], chance)}, Piso ${whole(chance, 9)}`, 2],
    [() => `${one([..."ABC"], chance)}, Planta Baja`, 1],
    [() => "Planta Baja", 6],
    [() => "Planta Alta", 1],
    [() => "PB", 1],
    [() => one(PLAZAS, chance), 2],
    [() => `Bodega ${whole(chance, 9)}`, 4],
    [() => `Nave ${whole(chance, 9)}`, 1],
    [() => `Letra ${one([..."ABCDE"], chance)}`, 1],
  ])();
}
