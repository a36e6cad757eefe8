-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261128170000_creates_in_vain/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release shows what such a create made after all as somebody's change. The migration is forgotten, so that the next release applies it
-- again.
ALTER TABLE "Details" DROP COLUMN "inVain";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128170000_creates_in_vain';
