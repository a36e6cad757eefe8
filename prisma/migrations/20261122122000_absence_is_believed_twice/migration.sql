-- AlterTable
ALTER TABLE "Connection" ADD COLUMN "bookConfirmedAtMs" BIGINT;

-- AlterTable
ALTER TABLE "Template" ADD COLUMN "absentSinceMs" BIGINT;
ALTER TABLE "Template" ADD COLUMN "unlistedSinceMs" BIGINT;
