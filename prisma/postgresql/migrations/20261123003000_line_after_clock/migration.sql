-- Puts shops back in line that have waited for so long without a place in it: a person's hand took it away, or they were served when the
-- server's clock was ahead, and would wait until it is that time again. `until_ms` is half a minute ago, so two minutes later is ahead.
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
