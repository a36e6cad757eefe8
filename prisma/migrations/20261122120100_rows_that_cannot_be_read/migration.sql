-- AlterTable
ALTER TABLE "Connection" ADD COLUMN "bookUnreadable" TEXT NOT NULL DEFAULT '[]';
