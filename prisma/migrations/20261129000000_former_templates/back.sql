-- With the app stopped, before the release before is started again on this database:
--   sqlite3 FILE < prisma/migrations/20261129000000_former_templates/back.sql
-- (not with `prisma db execute`, which runs the first statement alone.)
-- That release shows such an address as nobody's. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Details" DROP COLUMN "formerTemplates";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261129000000_former_templates';
