-- AlterTable
ALTER TABLE "Connection" ADD COLUMN "readings" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Template" ADD COLUMN "reading" INTEGER NOT NULL DEFAULT 0;
