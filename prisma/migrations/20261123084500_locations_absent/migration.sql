-- Since when Shopify does not show a location. That it is gone is believed after two such answers, a minute apart.
ALTER TABLE "Location" ADD COLUMN "absentSinceMs" BIGINT;
