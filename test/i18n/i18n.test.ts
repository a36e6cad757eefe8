import { afterEach, describe, expect, test } from "vitest";
import { createFormat } from "../../app/components/hooks/use-format.ts";
import { addLanguage, languageInstance, languageOfRequest, nameService } from "../../app/i18n/i18n.ts";
import englishWords from "../../app/i18n/locales/en.ts";
import spanishWords from "../../app/i18n/locales/es-MX.ts";

addLanguage("en", englishWords);
addLanguage("es-MX", spanishWords);
const wordsOf = (language: "en" | "es-MX") => languageInstance(language)!.i18n.getFixedT(null, "common");

describe("the language of a request", () => {
  const of = (search: string, accepted?: string) =>
    languageOfRequest(
      new Request(`https://app.example/app${search}`, accepted ? { headers: { "Accept-Language": accepted } } : {}),
    );

  test.each([
    ["?locale=es", undefined, "es-MX"],
    ["?locale=es-419", "en", "es-MX"],
    ["?locale=en-CA", "es", "en"],
    ["?locale=fr", "fr, es;q=0.9, en;q=0.8", "es-MX"],
    ["", "en;q=0.3, es;q=0.7", "es-MX"],
    ["", "de", "en"],
    ["", undefined, "en"],
    ["?locale=", "ES_MX", "es-MX"],
    ["", ";;q=,,es;q=x", "es-MX"],
  ] as const)("%s with %s is %s", (search, accepted, language) => {
    expect(of(search, accepted)).toBe(language);
  });
});

describe("numbers and times", () => {
  const NOW_MS = Date.UTC(2026, 10, 20, 18, 0, 0);
  const english = createFormat({ language: "en", timeZone: "America/Mexico_City", nowMs: NOW_MS, t: wordsOf("en") });
  const spanish = createFormat({ language: "es-MX", timeZone: "America/Tijuana", nowMs: NOW_MS, t: wordsOf("es-MX") });

  test("stand in the shop's time zone, with plain spaces", () => {
    expect(english.dateTime(NOW_MS)).toBe("Nov 20, 2026, 12:00 PM");
    expect(spanish.dateTime(NOW_MS)).toContain("10:00");
    expect(`${english.dateTime(NOW_MS)}${spanish.dateTime(NOW_MS)}`).not.toMatch(/[\u00a0\u202f]/);
  });

  test.each([
    [0, "just now", "hace un momento"],
    [-59_000, "just now", "hace un momento"],
    [-3 * 60_000, "3 min ago", "hace 3 min"],
    [-2 * 3_600_000, "2 h ago", "hace 2 h"],
    [-26 * 3_600_000, "yesterday", "ayer"],
    [-72 * 3_600_000, "3 days ago", "hace 3 días"],
    [90 * 60_000, "in 1 h", "en 1 h"],
    [24 * 3_600_000, "tomorrow", "mañana"],
  ])("%d ms from now is “%s”, “%s”", (distanceMs, inEnglish, inSpanish) => {
    expect([english.age(NOW_MS + distanceMs), spanish.age(NOW_MS + distanceMs)]).toEqual([inEnglish, inSpanish]);
  });

  test("name the shop's time zone in words", () => {
    expect(english.zone(NOW_MS)).toBe("Central Standard Time");
    expect(spanish.zone(NOW_MS)).toBe("hora del Pacífico");
    const nowhere = createFormat({ language: "es-MX", timeZone: "UTC", nowMs: NOW_MS, t: wordsOf("es-MX") });
    expect(nowhere.zone(NOW_MS)).toBe("hora universal coordinada");
  });

  test("tell how long something takes, never less than a second", () => {
    expect([0, 1_500, 90_000, 3_600_000, 4_800_000].map(english.duration)).toEqual([
      "1 s",
      "2 s",
      "2 min",
      "1 h",
      "1 h 20 min",
    ]);
    expect(spanish.list(["FedEx", "DHL", "Estafeta"])).toBe("FedEx, DHL y Estafeta");
  });
});

test.each(["en", "es-MX"] as const)("in %s the question about the account names the client id", (language) => {
  const words = languageInstance(language)!.i18n.getFixedT(null, "settings");
  expect(words("connection.unconfirmed.text", { clientId: "abc…9f2c", count: 2 })).toContain("abc…9f2c");
});

describe("in Spanish", () => {
  const words = () => languageInstance("es-MX")!.i18n.getFixedT(null, "origins");
  const none = { failed: 0, cancelled: 0, skipped: 0 };

  test.each([
    ["sync", "1 de 1 guardado en tu cuenta."],
    ["resume", "1 de 1 reanudado."],
    ["import", "1 de 1 cambiado y guardado en tu cuenta."],
  ])("one origin of a bulk action is told as one: %s", (kind, said) => {
    expect(words()("job.counts", { kind, done: 1, total: 1, ...none })).toBe(said);
  });

  test("one location of the first steps is told as one", () => {
    expect(words()("home:setup.save.count", { saved: 0, total: 1 })).toBe("0 de 1 guardada en tu cuenta");
  });

  test("one minute that is left is not told as several", () => {
    const left = [words()("job.left", { time: "1 min" }), words()("home:pulse.queue", { count: 1, time: "1 min" })];
    expect(left.join()).not.toContain("unos");
  });
});

describe("the shipping service", () => {
  const named = (name: string | null) => {
    nameService(name);
    addLanguage("en", englishWords);
    addLanguage("es-MX", spanishWords);
    return (["en", "es-MX"] as const).map((language) => languageInstance(language)!.i18n.getFixedT(null, "common"));
  };
  afterEach(() => void named(null));

  test.each([
    [null, "Your shipping service said: “no”", "Tu servicio de envíos respondió: «no»"],
    ["paquetería Norte", "Paquetería Norte said: “no”", "Paquetería Norte respondió: «no»"],
    ["$& {x}", "$& {x} said: “no”", "$& {x} respondió: «no»"],
  ])("is named %s where a sentence begins", (name, inEnglish, inSpanish) => {
    expect(named(name).map((words) => words("serviceSaid", { words: "no" }))).toEqual([inEnglish, inSpanish]);
  });

  test.each([
    [null, "No hay una cuenta de envíos conectada."],
    ["Norte", "No hay una cuenta de Norte conectada."],
  ])("and its account, named %s, stand within one", (name, inSpanish) => {
    const [english, spanish] = named(name);
    const service = name ?? "your shipping service";
    expect(english!("faults:forbidden")).toContain(`ask ${service} what your account may do`);
    expect(english!("faults:not_connected")).toContain(`No ${name === null ? "shipping" : name} account is connected`);
    expect(spanish!("faults:not_connected")).toContain(inSpanish);
    expect(spanish!("faults:transport")).toContain(`contactar a ${name ?? "tu servicio de envíos"}.`);
  });
});
