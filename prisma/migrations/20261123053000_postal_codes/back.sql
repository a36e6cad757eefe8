-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261123053000_postal_codes/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release knows no list of postal codes, and reads every address without one; whoever comes back imports the list again. The migration
-- is forgotten, so that the next release applies it again.
DROP TABLE "PostalCode";
DROP TABLE "PostalEdition";
ALTER TABLE "Location" DROP COLUMN "postal";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123053000_postal_codes';
