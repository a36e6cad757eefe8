-- AlterTable
ALTER TABLE "Link" ADD COLUMN "unclear" TEXT;
