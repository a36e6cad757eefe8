-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261128160000_activity_of_an_environment/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release shows the activity of both environments together. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Activity" DROP COLUMN "environment";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128160000_activity_of_an_environment';
