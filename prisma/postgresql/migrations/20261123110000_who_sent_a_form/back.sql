-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123110000_who_sent_a_form/back.sql
-- That release tells nobody at the end of a change by hand. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Draft" DROP COLUMN "staffId";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123110000_who_sent_a_form';
