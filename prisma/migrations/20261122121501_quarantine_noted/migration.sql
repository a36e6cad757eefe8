-- AlterTable
ALTER TABLE "Intent" ADD COLUMN "notedAtMs" BIGINT;
