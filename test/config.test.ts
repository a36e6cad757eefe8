import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readConfig, sendsTraces } from "../app/config.server.ts";
import { samplerOf } from "../app/http/traces/sampler.ts";

const complete = {
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "a-very-secret-secret",
  SHOPIFY_APP_URL: "https://app.example",
  SCOPES: "read_locations, read_orders,",
  DATABASE_URL: "file:./origen.db",
  APP_KEYS: `one:${randomBytes(32).toString("base64")}`,
  SHIPPING_TEST_URL: "http://127.0.0.1:4403",
  SHIPPING_PRODUCTION_URL: "https://api.example",
};

describe("the environment", () => {
  test("is parsed once, with its defaults; an empty value is none", () => {
    expect(readConfig({ ...complete, APP_BRIDGE_URL: "", PORT: "8080" })).toMatchObject({
      SCOPES: ["read_locations", "read_orders"],
      PORT: 8080,
      NODE_ENV: "production",
      APP_BRIDGE_URL: "https://cdn.shopify.com/shopifycloud/app-bridge.js",
      BUDGET_GRACE_MS: 2_000,
      QUARANTINE_LONGEST_MS: 60_000,
    });
  });

  test("names all that is missing at once, and no value", () => {
    const read = () => readConfig({ SHOPIFY_API_SECRET: complete.SHOPIFY_API_SECRET, PORT: "ninety" });
    expect(read).toThrow(/SHOPIFY_API_KEY[\s\S]*APP_KEYS[\s\S]*SHIPPING_TEST_URL[\s\S]*PORT/);
    expect(read).not.toThrow(/a-very-secret-secret|ninety/);
  });

  test.each([
    ["http://api.example", false],
    ["http://127.0.0.1:9", true],
    ["http://localhost:9", true],
    ["http://[::1]:9", true],
    ["https://api.example", true],
    ["ftp://api.example", false],
    ["http://localhost.evil.example", false],
    ["api.example", false],
  ])("takes the service's address %s: %s", (address, taken) => {
    const read = () => readConfig({ ...complete, SHIPPING_PRODUCTION_URL: address });
    if (taken) expect(read().SHIPPING_PRODUCTION_URL).toBe(address);
    else expect(read).toThrow("SHIPPING_PRODUCTION_URL");
  });

  test.each(["ABSENCE_BELIEVED_AFTER_MS", "LISTINGS_APART_MS"])(
    "believes no sooner than a service may need (%s), but for one on this machine",
    (name) => {
      expect(readConfig(complete)).toMatchObject({ ABSENCE_BELIEVED_AFTER_MS: 60_000, LISTINGS_APART_MS: 30_000 });
      expect(() => readConfig({ ...complete, [name]: "1000" })).toThrow(`${name}: must be at least`);
      expect(readConfig({ ...complete, [name]: "90000" })).toMatchObject({ [name]: 90_000 });
      const here = { ...complete, SHIPPING_PRODUCTION_URL: "http://127.0.0.1:4404" };
      expect(readConfig({ ...here, [name]: "1000" })).toMatchObject({ [name]: 1_000 });
    },
  );

  test("takes the service's name and its pages where they are given", () => {
    const named = {
      SHIPPING_SERVICE_NAME: " Paquetería Norte ",
      SHIPPING_SERVICE_HELP_URL: "https://ayuda.example/es",
    };
    expect(readConfig({ ...complete, ...named })).toMatchObject({
      ...named,
      SHIPPING_SERVICE_NAME: "Paquetería Norte",
    });
    expect(readConfig(complete).SHIPPING_SERVICE_NAME).toBeUndefined();
    for (const name of ["a".repeat(41), "two\nlines", "{count}", "<b>Norte</b>"])
      expect(() => readConfig({ ...complete, SHIPPING_SERVICE_NAME: name })).toThrow(
        "SHIPPING_SERVICE_NAME: must be one",
      );
    for (const name of ["SHIPPING_SERVICE_CONNECTIONS_URL", "SHIPPING_SERVICE_HELP_URL"])
      for (const address of ["http://ayuda.example", "javascript:alert(1)", "ayuda.example"])
        expect(() => readConfig({ ...complete, [name]: address })).toThrow(name);
  });

  test("holds the table of verification words to the three meanings", () => {
    const withTable = (text: string) => readConfig({ ...complete, VERIFICATION_STATUS_TABLE: text });
    expect(withTable('{"listo":"accepted"}').VERIFICATION_STATUS_TABLE).toEqual({ listo: "accepted" });
    expect(() => withTable('{"listo":"ready"}')).toThrow("VERIFICATION_STATUS_TABLE");
    expect(() => withTable("listo")).toThrow("must be JSON");
  });
});

describe("traces, by OpenTelemetry's own variables", () => {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

  test.each([
    [{}, false],
    [to, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" }, true],
    [{ ...to, OTEL_SDK_DISABLED: "true" }, false],
    [{ ...to, OTEL_TRACES_EXPORTER: "none" }, false],
    [{ OTEL_TRACES_SAMPLER: "always_on" }, false],
  ])("%j: sent %s", (said, isSent) => {
    expect(sendsTraces(readConfig({ ...complete, ...said }))).toBe(isSent);
  });

  test("another form than the one that is sent stops the start", () => {
    expect(() => readConfig({ ...complete, ...to, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow(
      "OTEL_EXPORTER_OTLP_PROTOCOL: must be http/json",
    );
  });

  test.each([
    [{}, "ParentBased{root=AlwaysOnSampler"],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, "AlwaysOffSampler"],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }, "TraceIdRatioBased{0.25}"],
    [
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" },
      "ParentBased{root=TraceIdRatioBased{0.5}",
    ],
  ])("%j keeps by %s", (said, sampler) => {
    expect(samplerOf(readConfig({ ...complete, ...said })).toString()).toContain(sampler);
  });
});
