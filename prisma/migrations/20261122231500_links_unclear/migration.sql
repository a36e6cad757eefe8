-- AlterTable
ALTER TABLE "Link" ADD COLUMN "unclear" TEXT;

-- A template has one unclear write on a connection. The release before could pass a second one over from another client id. The latest
-- stays, for as long as any of them would have; what an earlier one said stays with its link, as in app/account/pass-writes-over.ts.
UPDATE "Link" SET "unclear" = (
  SELECT json_object('operation', "old"."operation", 'payload', json("old"."payload")) FROM "Intent" AS "old"
  WHERE "old"."shop" = "Link"."shop" AND "old"."connectionId" = "Link"."connectionId" AND "old"."templateId" = "Link"."templateId"
    AND "old"."locationId" = "Link"."locationId" AND "old"."operation" <> 'create' AND EXISTS (
      SELECT 1 FROM "Intent" AS "other" WHERE "other"."connectionId" = "old"."connectionId" AND "other"."templateId" = "old"."templateId"
        AND ("other"."committedAtMs", "other"."id") > ("old"."committedAtMs", "old"."id"))
  ORDER BY "old"."committedAtMs" DESC, "old"."id" DESC LIMIT 1);
UPDATE "Intent" SET "quarantineUntilMs" = (
  SELECT max("other"."quarantineUntilMs") FROM "Intent" AS "other"
  WHERE "other"."connectionId" = "Intent"."connectionId" AND "other"."templateId" = "Intent"."templateId")
WHERE "templateId" IS NOT NULL;
DELETE FROM "Intent" WHERE EXISTS (
  SELECT 1 FROM "Intent" AS "other" WHERE "other"."connectionId" = "Intent"."connectionId" AND "other"."templateId" = "Intent"."templateId"
    AND ("other"."committedAtMs", "other"."id") > ("Intent"."committedAtMs", "Intent"."id"));

-- Several without a template are creates, whose templates nobody knows yet. A database on which the migration before made this index has it.
CREATE UNIQUE INDEX IF NOT EXISTS "Intent_connectionId_templateId_key" ON "Intent"("connectionId", "templateId");
