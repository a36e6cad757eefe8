-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261122211500_columns_that_decide_nothing/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release names the columns in what it asks and inserts, and nobody reads what stands in them. The migration is forgotten, so
-- that the next release applies it again.
ALTER TABLE "Connection" ADD COLUMN "createdAtMs" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Details" ADD COLUMN "updatedAtMs" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Target" ADD COLUMN "createdAtMs" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Receipt" ADD COLUMN "topic" TEXT NOT NULL DEFAULT '';
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122211500_columns_that_decide_nothing';
