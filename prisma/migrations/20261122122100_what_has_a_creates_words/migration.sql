-- AlterTable
ALTER TABLE "Intent" ADD COLUMN "alike" TEXT NOT NULL DEFAULT '[]';
