-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261128003000_what_was_replaced/back.sql
-- That release takes a reading that is behind for somebody's change. The migration is forgotten, so that the next release applies it again.
ALTER TABLE "Template" DROP COLUMN "replaced";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261128003000_what_was_replaced';
