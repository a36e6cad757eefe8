-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123063000_who_did_it/back.sql
-- That release tells no person from another. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Activity" DROP COLUMN "staffId";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123063000_who_did_it';
