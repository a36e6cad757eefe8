-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261122233000_what_is_not_named/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release remembers it with each link. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Link" ADD COLUMN "sendWhole" BOOLEAN NOT NULL DEFAULT false;
UPDATE "Link" SET "sendWhole" = true WHERE "connectionId" IN (SELECT "id" FROM "Connection" WHERE "unnamed" = 'emptied');
ALTER TABLE "Connection" DROP COLUMN "unnamed";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122233000_what_is_not_named';
