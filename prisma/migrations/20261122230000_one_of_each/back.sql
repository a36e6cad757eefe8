-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261122230000_one_of_each/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- The release before works with these indexes too; the migration is forgotten, so that the next release applies it again.
DROP INDEX "Connection_shop_current_key";
DROP INDEX "Job_shop_running_key";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122230000_one_of_each';
