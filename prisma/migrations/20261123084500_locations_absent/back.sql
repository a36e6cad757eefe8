-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261123084500_locations_absent/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release believes the first such answer. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Location" DROP COLUMN "absentSinceMs";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123084500_locations_absent';
