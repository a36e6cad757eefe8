-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261124190000_imported_details/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release knows no imports: what one has not written yet is not written. The migration is forgotten, so that the next release applies
-- it again.
DELETE FROM "Target" WHERE "kind" = 'job' AND "key" IN (SELECT "id" FROM "Job" WHERE "kind" = 'import');
DELETE FROM "JobItem" WHERE "jobId" IN (SELECT "id" FROM "Job" WHERE "kind" = 'import');
DELETE FROM "Job" WHERE "kind" = 'import';
ALTER TABLE "JobItem" DROP COLUMN "stated";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261124190000_imported_details';
