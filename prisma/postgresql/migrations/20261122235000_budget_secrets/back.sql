-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261122235000_budget_secrets/back.sql
-- Nothing that the release before uses has changed. The migration is forgotten, so that the next release applies it again.
DROP FUNCTION "budget"."wrong_secret", "budget"."right_secret", "budget"."secret_held_ms";
DROP FUNCTION "budget"."claim_renewal", "budget"."keep_renewal", "budget"."end_renewal";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261122235000_budget_secrets';
