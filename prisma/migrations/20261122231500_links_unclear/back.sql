-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261122231500_links_unclear/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- What earlier unclear writes said is lost with the column. The migration is forgotten, so that the next release applies it again.
DROP INDEX "Intent_connectionId_templateId_key";
ALTER TABLE "Link" DROP COLUMN "unclear";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122231500_links_unclear';
