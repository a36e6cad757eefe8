-- AlterTable
ALTER TABLE "Template" ADD COLUMN "emptied" TEXT;
