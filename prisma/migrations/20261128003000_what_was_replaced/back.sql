-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261128003000_what_was_replaced/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release takes a reading that is behind for somebody's change. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Template" DROP COLUMN "replaced";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128003000_what_was_replaced';
