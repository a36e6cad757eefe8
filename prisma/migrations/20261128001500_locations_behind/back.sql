-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261128001500_locations_behind/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release believes every answer. What waits for Shopify then waits for a reason that it has no words for, so it is looked at again
-- without one. The migration is forgotten, so that the next release applies it again.
UPDATE "Target" SET "reason" = NULL WHERE "reason" LIKE '%"location_behind"%';
ALTER TABLE "Location" DROP COLUMN "shopifyAtMs";
ALTER TABLE "Location" DROP COLUMN "shopifyToldMs";
ALTER TABLE "Location" DROP COLUMN "behindSinceMs";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128001500_locations_behind';
