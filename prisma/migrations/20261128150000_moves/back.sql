-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261128150000_moves/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release knows of no move: a coming template stays in the account as nobody's, and a location that has moved takes Shopify's address
-- again and the marker that it had before, so whoever goes back first lets Shopify show the new address. The migration is forgotten, so that
-- the next release applies it again.
DELETE FROM "Target" WHERE "kind" = 'move';
DROP TABLE "Move";
ALTER TABLE "Details" DROP COLUMN "held";
ALTER TABLE "Details" DROP COLUMN "marker";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128150000_moves';
