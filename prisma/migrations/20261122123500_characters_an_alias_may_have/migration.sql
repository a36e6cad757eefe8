-- AlterTable
ALTER TABLE "Connection" ADD COLUMN "aliasLimit" INTEGER;
