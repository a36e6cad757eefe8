-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261122234500_shop_work/back.sql
-- That release asks the work items themselves. The migration is forgotten, so that the next release applies it again.
DROP FUNCTION line_insert, line_update, line_delete, claim_work, take_turns, mend_line, put_in_line, next_turn, begin_chore CASCADE;
DROP INDEX "Target_waiting_idx", "Target_leased_idx";
DROP TABLE "ShopWork", "Chore";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122234500_shop_work';
