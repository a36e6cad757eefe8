/** The words that fresh rows are made of: what Mexican directories hold. Names are of everywhere, and no address is made of them that was read. */

const words = (text: string): string[] => text.split(";").map((name) => name.replace(/\s+/g, " ").trim());

/**
 * Kinds of settlement as directories hold them beside the name, by the national standard for geographic addresses; most settlements are colonias.
 */
export const KINDS: readonly (readonly [string | null, number])[] = [
  ["Colonia", 100],
  [null, 32],
  ["Fraccionamiento", 24],
  ["Barrio", 10],
  ["Ejido", 6],
  ["Pueblo", 6],
  ["Ranchería", 4],
  ["Localidad", 2],
  ["Poblado", 2],
  ...words(
    `Unidad habitacional;Condominio;Zona Federal;Paraje;Exhacienda;Ciudad;Privada;Zona Industrial;Residencial;Ampliación;Cantón;Ciudad
Industrial;Conjunto habitacional;Corredor Industrial;Coto;Cuartel;Granja;Hacienda;Ingenio;Parque Industrial;Puerto;Rancho;Región;Rinconada;
Sección;Sector;Supermanzana;Unidad;Villa;Zona Militar;Comunidad;Congregación`,
  ).map((kind): [string, number] => [kind, 1]),
];

/** Kinds of way, by the same standard, in full and short. */
export const WAYS: readonly (readonly [string, number])[] = [
  ["Calle", 80],
  ["Avenida", 40],
  ["Av.", 12],
  ["", 28],
  ["Boulevard", 10],
  ["Blvd.", 6],
  ["Privada", 6],
  ["Calzada", 6],
  ["Prolongación", 4],
  ["Cerrada", 4],
  ["Circuito", 4],
  ["Andador", 3],
  ["Callejón", 3],
  ["Paseo", 2],
  ...words(
    "Ampliación;Circunvalación;Continuación;Corredor;Diagonal;Eje Vial;Pasaje;Peatonal;Periférico;Retorno;Viaducto;2a. Privada;1ra. Cerrada",
  ).map((kind): [string, number] => [kind, 1]),
];

export const NAMES =
  words(`Benito Juárez;Miguel Hidalgo;José María Morelos;Emiliano Zapata;Francisco I. Madero;Venustiano Carranza;Lázaro Cárdenas;Adolfo
López Mateos;Ignacio Allende;Josefa Ortiz de Domínguez;5 de Mayo;16 de Septiembre;20 de Noviembre;5 de Febrero;Constitución;Reforma;Independencia;
Insurgentes;Revolución;Las Palmas;Los Pinos;Del Valle;Jacarandas;Bugambilias;Laureles;Álamos;Cedros;Río Lerma;Río Nazas;Lago de Chapala;Monte
Everest;Volcán Paricutín;Sierra Madre;Niños Héroes;Ricardo Flores Magón;Álvaro Obregón;Plutarco Elías Calles;Guadalupe Victoria;Vicente
Guerrero;Aquiles Serdán;Melchor Ocampo;Xicoténcatl;Cuauhtémoc;Moctezuma;Nezahualcóyotl;Tlaxcala;Durango;Zacatecas;Veracruz;Puebla;San
Antonio;San Francisco;Santa Mónica;Fray Bartolomé de las Casas;Manuel Acuña;Sor Juana Inés de la Cruz;Amado Nervo;Octavio Paz;Dr. José María
Vértiz;Gral. Ignacio Zaragoza;Ing. Félix Cuevas;Rosales;Galeana;Matamoros;Abasolo;Aldama;Mina;Rayón;Bravo;Degollado;La Paz;El Mirador;La
Cantera;Los Arcos;Las Torres;Vista Hermosa;Camino Real;Hacienda de la Luz;Paseo del Roble;Cristóbal Colón;Aztecas;Toltecas;Mayas;18 de
Marzo;1 de Mayo;12 de Octubre;Lic. Benito Juárez;Profr. Rafael Ramírez;H. Colegio Militar;Ma. Luisa Pacheco;Fco. Villa;Juan de la Barrera;
Vicente Suárez;Puerto de Veracruz;Puerto Vallarta;Ejército Nacional;Ferrocarriles;Central;Universidad;Tecnológico;Industria Textil;Norte;Del
Parque;Cd. de México;Torres Landa;Plaza Mayor;Mercado;Real de San Javier;Rancho Grande;Granjas;Unidad Nacional;Siete Leguas;Ángel Albino
Corzo;Everardo Márquez;Leona Vicario Sur;Tecámac Norte;Juárez Poniente;Constituyentes Oriente`);

export const ROADS =
  words(`Carretera México-Toluca;Carretera a San Luis Potosí;Carretera Federal 57;Autopista México-Querétaro;Carretera Mérida-Progreso;
Camino a Santa Fe;Carretera Internacional;Libramiento Sur;Carretera Tepic-Mazatlán;Carretera Costera del Golfo;Camino Viejo a San Mateo;
Carr. Saltillo - Monterrey;Carretera Libre a Celaya;Carretera Estatal 200 Querétaro-Huimilpan;Carretera Federal No. 45;Carr. Fed. 2 Mexicali;
Camino al Ajusco;Terracería a La Joya;Brecha E-99;Carretera a Sn Marcos;Camino Vecinal a El Salto;Carretera Transpeninsular`);

export const PLAZAS =
  words(`Plaza Fiesta;Plaza del Sol;Plaza Las Américas;Centro Comercial Galerías;Torre Reforma;Edificio Azul;Plaza Mayor;Plaza
Comercial San Luis;Mercado Hidalgo;Plaza Bella;Mercado Público Juárez;Central de Abasto;Centro Comercial Plaza Real;Edificio Torre Norte;Plaza
5 de Mayo`);
