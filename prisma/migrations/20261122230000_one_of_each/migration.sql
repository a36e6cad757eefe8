-- The code has made one current connection and one running job at most. Should there be more all the same, the latest stays.
UPDATE "Connection" SET "current" = false WHERE "current" = true AND EXISTS (
  SELECT 1 FROM "Connection" AS "other" WHERE "other"."shop" = "Connection"."shop" AND "other"."current" = true
    AND (COALESCE("other"."lastSuccessAtMs", 0), "other"."id") > (COALESCE("Connection"."lastSuccessAtMs", 0), "Connection"."id"));
UPDATE "Job" SET "state" = 'done', "endedAtMs" = "createdAtMs" WHERE "state" = 'running' AND EXISTS (
  SELECT 1 FROM "Job" AS "other" WHERE "other"."shop" = "Job"."shop" AND "other"."state" = 'running'
    AND ("other"."createdAtMs", "other"."id") > ("Job"."createdAtMs", "Job"."id"));

CREATE UNIQUE INDEX "Connection_shop_current_key" ON "Connection"("shop") WHERE "current" = true;
CREATE UNIQUE INDEX "Job_shop_running_key" ON "Job"("shop") WHERE "state" = 'running';
