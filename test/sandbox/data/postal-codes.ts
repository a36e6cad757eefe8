import type { PostalFacts } from "../../../app/domain/mexico/postal-codes.ts";

/**
 * Some well-known postal codes, written by hand, so that a visitor of the demo sees what a list does. The published lists may not be shipped
 * (docs/postal-codes.md). They are no list of a place: most codes have more settlements than are named here.
 *
 * Each line: code, state, municipality, city, and colonias.
 */
const LINES = `
01000 | Ciudad de México | Álvaro Obregón | Ciudad de México | San Ángel
01020 | Ciudad de México | Álvaro Obregón | Ciudad de México | Guadalupe Inn
03100 | Ciudad de México | Benito Juárez | Ciudad de México | Del Valle Centro
03103 | Ciudad de México | Benito Juárez | Ciudad de México | Del Valle Norte
03020 | Ciudad de México | Benito Juárez | Ciudad de México | Narvarte Poniente
04100 | Ciudad de México | Coyoacán | Ciudad de México | Del Carmen
04000 | Ciudad de México | Coyoacán | Ciudad de México | Villa Coyoacán
05348 | Ciudad de México | Cuajimalpa de Morelos | Ciudad de México | Santa Fe Cuajimalpa
06000 | Ciudad de México | Cuauhtémoc | Ciudad de México | Centro (Área 1)
06100 | Ciudad de México | Cuauhtémoc | Ciudad de México | Hipódromo
06140 | Ciudad de México | Cuauhtémoc | Ciudad de México | Condesa
06170 | Ciudad de México | Cuauhtémoc | Ciudad de México | Hipódromo Condesa
06500 | Ciudad de México | Cuauhtémoc | Ciudad de México | Cuauhtémoc
06600 | Ciudad de México | Cuauhtémoc | Ciudad de México | Juárez
06700 | Ciudad de México | Cuauhtémoc | Ciudad de México | Roma Norte
06760 | Ciudad de México | Cuauhtémoc | Ciudad de México | Roma Sur
06400 | Ciudad de México | Cuauhtémoc | Ciudad de México | Santa María La Ribera
11000 | Ciudad de México | Miguel Hidalgo | Ciudad de México | Lomas de Chapultepec I Sección
11520 | Ciudad de México | Miguel Hidalgo | Ciudad de México | Granada
11560 | Ciudad de México | Miguel Hidalgo | Ciudad de México | Polanco V Sección
11800 | Ciudad de México | Miguel Hidalgo | Ciudad de México | Escandón I Sección; Escandón II Sección
14000 | Ciudad de México | Tlalpan | Ciudad de México | Tlalpan Centro
20000 | Aguascalientes | Aguascalientes | Aguascalientes | Aguascalientes Centro
22000 | Baja California | Tijuana | Tijuana | Zona Centro
23000 | Baja California Sur | La Paz | La Paz | Zona Central
24000 | Campeche | Campeche | San Francisco de Campeche | San Francisco de Campeche Centro
25000 | Coahuila de Zaragoza | Saltillo | Saltillo | Saltillo Zona Centro
28000 | Colima | Colima | Colima | Colima Centro
31000 | Chihuahua | Chihuahua | Chihuahua | Centro
34000 | Durango | Durango | Victoria de Durango | Victoria de Durango Centro
36000 | Guanajuato | Guanajuato | Guanajuato | Guanajuato Centro
37000 | Guanajuato | León | León de los Aldama | León de los Aldama Centro
37700 | Guanajuato | San Miguel de Allende | San Miguel de Allende | San Miguel de Allende Centro
44100 | Jalisco | Guadalajara | Guadalajara | Guadalajara Centro
44160 | Jalisco | Guadalajara | Guadalajara | Americana
45500 | Jalisco | San Pedro Tlaquepaque | Tlaquepaque | Tlaquepaque Centro
52140 | México | Metepec | Metepec | Metepec Centro
58000 | Michoacán de Ocampo | Morelia | Morelia | Morelia Centro
62000 | Morelos | Cuernavaca | Cuernavaca | Cuernavaca Centro
64000 | Nuevo León | Monterrey | Monterrey | Monterrey Centro
64320 | Nuevo León | Monterrey | Monterrey | Mitras Norte
66220 | Nuevo León | San Pedro Garza García | San Pedro Garza García | Del Valle
68000 | Oaxaca | Oaxaca de Juárez | Oaxaca de Juárez | Oaxaca Centro
72000 | Puebla | Puebla | Heroica Puebla de Zaragoza | Centro
76000 | Querétaro | Querétaro | Santiago de Querétaro | Centro
77500 | Quintana Roo | Benito Juárez | Cancún | Cancún Centro
77710 | Quintana Roo | Solidaridad | Playa del Carmen | Playa del Carmen Centro
78000 | San Luis Potosí | San Luis Potosí | San Luis Potosí | San Luis Potosí Centro
80000 | Sinaloa | Culiacán | Culiacán Rosales | Centro
83000 | Sonora | Hermosillo | Hermosillo | Hermosillo Centro
91700 | Veracruz de Ignacio de la Llave | Veracruz | Veracruz | Veracruz Centro
97000 | Yucatán | Mérida | Mérida | Mérida Centro
`;

export const DEMO_POSTAL_CODES: readonly PostalFacts[] = LINES.trim()
  .split("\n")
  .map((line) => {
    const [code = "", state = "", municipality = "", city = "", settlements = ""] = line
      .split("|")
      .map((part) => part.trim());
    return {
      code,
      state,
      municipality,
      city: city || null,
      settlements: settlements.split(";").map((name) => ({ name: name.trim(), kind: "Colonia" })),
    };
  });
