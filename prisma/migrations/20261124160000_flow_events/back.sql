-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261124160000_flow_events/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release gives Flow no events: what is still to be given is lost. Whoever comes back turns workflows off and on, so that Flow tells of
-- them again. The migration is forgotten, so that the next release applies it again.
DELETE FROM "Target" WHERE "kind" = 'flow';
DROP TABLE "FlowEvent";
DROP TABLE "FlowOrigin";
ALTER TABLE "Shop" DROP COLUMN "flow";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261124160000_flow_events';
