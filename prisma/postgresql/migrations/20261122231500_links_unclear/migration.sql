-- AlterTable
ALTER TABLE "Link" ADD COLUMN "unclear" TEXT COLLATE "C";
