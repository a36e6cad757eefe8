-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123024500_another_server/back.sql
-- That release does not notice another server. The migration is forgotten, so that the next release applies it again.
DROP FUNCTION "budget"."accept_server"(integer);
CREATE OR REPLACE FUNCTION "budget"."opens_at"(hold interval) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz;
  longest timestamptz := clock_timestamp() + hold;
BEGIN
  SELECT "opens_at" INTO at FROM "budget"."epoch";
  IF at <= longest THEN RETURN at; END IF;
  IF at IS NULL THEN
    INSERT INTO "budget"."epoch" ("opens_at") VALUES (longest) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE "budget"."epoch" SET "opens_at" = longest WHERE "opens_at" > longest;
  END IF;
  RETURN longest;
END $$;
DROP FUNCTION "budget"."server_is_known"();
DROP FUNCTION "budget"."lineage"();
DROP TABLE "budget"."server";
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123024500_another_server';
