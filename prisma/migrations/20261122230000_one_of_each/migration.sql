-- The code has made one current connection and one running job at most. Should there be more all the same, the latest stays.
UPDATE "Connection" SET "current" = false WHERE "current" = true AND EXISTS (
  SELECT 1 FROM "Connection" AS "other" WHERE "other"."shop" = "Connection"."shop" AND "other"."current" = true
    AND (COALESCE("other"."lastSuccessAtMs", 0), "other"."id") > (COALESCE("Connection"."lastSuccessAtMs", 0), "Connection"."id"));
UPDATE "Job" SET "state" = 'done', "endedAtMs" = "createdAtMs" WHERE "state" = 'running' AND EXISTS (
  SELECT 1 FROM "Job" AS "other" WHERE "other"."shop" = "Job"."shop" AND "other"."state" = 'running'
    AND ("other"."createdAtMs", "other"."id") > ("Job"."createdAtMs", "Job"."id"));
-- A client id that came back for one account brought its unclear writes along, also to a template that had one already. A location's stays,
-- for a change by hand is read and planned anew, and nobody writes there as long as any of them may take effect.
UPDATE "Intent" SET "quarantineUntilMs" = (SELECT MAX("other"."quarantineUntilMs") FROM "Intent" AS "other"
  WHERE "other"."connectionId" = "Intent"."connectionId" AND "other"."templateId" = "Intent"."templateId") WHERE "templateId" IS NOT NULL;
DELETE FROM "Intent" WHERE EXISTS (
  SELECT 1 FROM "Intent" AS "other" WHERE "other"."connectionId" = "Intent"."connectionId" AND "other"."templateId" = "Intent"."templateId"
    AND ("other"."locationId" IS NOT NULL, "other"."committedAtMs", "other"."id")
      > ("Intent"."locationId" IS NOT NULL, "Intent"."committedAtMs", "Intent"."id"));

CREATE UNIQUE INDEX "Connection_shop_current_key" ON "Connection"("shop") WHERE "current" = true;
CREATE UNIQUE INDEX "Job_shop_running_key" ON "Job"("shop") WHERE "state" = 'running';
