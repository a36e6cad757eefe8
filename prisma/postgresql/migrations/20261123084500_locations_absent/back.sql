-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123084500_locations_absent/back.sql
-- That release believes the first such answer. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Location" DROP COLUMN "absentSinceMs";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123084500_locations_absent';
