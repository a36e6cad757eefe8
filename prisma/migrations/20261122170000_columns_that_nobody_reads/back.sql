-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261122170000_columns_that_nobody_reads/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release names both columns in what it asks and inserts, and nobody reads what stands in them. The migration is forgotten, so
-- that the next release applies it again.
ALTER TABLE "Shop" ADD COLUMN "displayName" TEXT;
ALTER TABLE "Intent" ADD COLUMN "connectionVersion" INTEGER NOT NULL DEFAULT 0;
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122170000_columns_that_nobody_reads';
