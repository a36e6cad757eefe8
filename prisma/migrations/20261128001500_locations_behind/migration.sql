-- Shopify's answers may be behind what it has told before: when a location changed by the state that is kept, by a webhook that no answer
-- has shown yet, and since when one is awaited.
ALTER TABLE "Location" ADD COLUMN "shopifyAtMs" BIGINT;
ALTER TABLE "Location" ADD COLUMN "shopifyToldMs" BIGINT;
ALTER TABLE "Location" ADD COLUMN "behindSinceMs" BIGINT;
