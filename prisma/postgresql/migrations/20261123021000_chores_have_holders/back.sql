-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123021000_chores_have_holders/back.sql
-- The migration is forgotten, so that the next release applies it again.
CREATE OR REPLACE FUNCTION mend_line(until_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  shops text[] := ARRAY(SELECT DISTINCT "shop" FROM "Target" WHERE "state" = 'active' AND "dueAtMs" <= until_ms);
  lost text[];
BEGIN
  lost := ARRAY(SELECT s."shop" FROM unnest(shops) AS s("shop") LEFT JOIN "ShopWork" line USING ("shop")
    WHERE (line."shop" IS NULL OR line."dueAtMs" > until_ms) AND pg_try_advisory_xact_lock(hashtextextended(s."shop", 0)));
  UPDATE "ShopWork" SET "servedAtMs" = 0 WHERE "shop" = ANY(lost) AND "servedAtMs" > until_ms + 120000;
  PERFORM put_in_line(lost);
  RETURN (SELECT count(*) FROM "ShopWork" WHERE "shop" = ANY(lost) AND "dueAtMs" <= until_ms);
END $$;
CREATE OR REPLACE FUNCTION begin_chore(chore text, every_ms bigint) RETURNS boolean LANGUAGE sql AS $$
  WITH begun AS (
    INSERT INTO "Chore" AS last ("name", "begunAtMs") VALUES (chore, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      ON CONFLICT ("name") DO UPDATE SET "begunAtMs" = EXCLUDED."begunAtMs"
      WHERE last."begunAtMs" <= EXCLUDED."begunAtMs" - every_ms OR last."begunAtMs" > EXCLUDED."begunAtMs" + 60000
      RETURNING 1)
  SELECT EXISTS (SELECT FROM begun)
$$;
DROP FUNCTION take_chore(text, bigint);
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123021000_chores_have_holders';
