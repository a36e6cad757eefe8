-- AlterTable
ALTER TABLE "Template" ADD COLUMN "aloneAtMs" BIGINT;
ALTER TABLE "Template" ADD COLUMN "disputedSinceMs" BIGINT;
