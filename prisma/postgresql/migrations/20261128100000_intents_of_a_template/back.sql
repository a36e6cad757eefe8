-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261128100000_intents_of_a_template/back.sql
-- That release does not ask for it. The migration is forgotten, so that the next release applies it again.
DROP INDEX "Intent_templateId_idx";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128100000_intents_of_a_template';
