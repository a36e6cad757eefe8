-- AlterTable
ALTER TABLE "Connection" ADD COLUMN "suspects" TEXT NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "Target" ADD COLUMN "failingSinceMs" BIGINT;
