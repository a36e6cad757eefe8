-- AlterTable
ALTER TABLE "Target" ADD COLUMN "pendingSinceMs" BIGINT;

-- What waits now has waited since it was last written, at least.
UPDATE "Target" SET "pendingSinceMs" = "updatedAtMs" WHERE "wanted" > "seen";
