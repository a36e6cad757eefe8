-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261123110000_who_sent_a_form/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release tells nobody at the end of a change by hand. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Draft" DROP COLUMN "staffId";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123110000_who_sent_a_form';
