-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261122233000_revisions/back.sql
-- That release knows neither table nor triggers, and writes no slower without them. The migration is forgotten, so that the next release
-- applies it again.
DROP FUNCTION note_write, note_delete, note_erase, note_last_session CASCADE;
DROP TABLE "Revision";
DROP SEQUENCE "revision_number";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122233000_revisions';
