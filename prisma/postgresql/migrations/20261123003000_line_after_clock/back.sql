-- With the app stopped, before the release before is started again on this database:
--   psql URL --single-transaction -f prisma/postgresql/migrations/20261123003000_line_after_clock/back.sql
-- That release works as well with what this one made. The migration is forgotten, so that the next release applies it again.
CREATE OR REPLACE FUNCTION mend_line(until_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  shops text[] := ARRAY(SELECT DISTINCT "shop" FROM "Target" WHERE "state" = 'active' AND "dueAtMs" <= until_ms);
  lost text[];
BEGIN
  lost := ARRAY(SELECT s."shop" FROM unnest(shops) AS s("shop") LEFT JOIN "ShopWork" line USING ("shop")
    WHERE (line."shop" IS NULL OR line."dueAtMs" > until_ms) AND pg_try_advisory_xact_lock(hashtextextended(s."shop", 0)));
  PERFORM put_in_line(lost);
  RETURN (SELECT count(*) FROM "ShopWork" WHERE "shop" = ANY(lost) AND "dueAtMs" <= until_ms);
END $$;
DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261123003000_line_after_clock';
