-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261122225900_budget/back.sql
-- That release keeps its slots in its one process. The migration is forgotten, so that the next release applies it again.
DROP SCHEMA "budget" CASCADE;
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122225900_budget';
