-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261128143000_traces/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release does not ask for it. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Target" DROP COLUMN "traceparent";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128143000_traces';
