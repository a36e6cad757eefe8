-- When the caller began the chore, if it is to do it now; null when somebody began it later than so long ago. It tells this holder from a
-- later one. A time that is a minute ahead was written by a clock set back since.
CREATE FUNCTION take_chore(chore text, every_ms bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO "Chore" AS last ("name", "begunAtMs") VALUES (chore, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    ON CONFLICT ("name") DO UPDATE SET "begunAtMs" = EXCLUDED."begunAtMs"
    WHERE last."begunAtMs" <= EXCLUDED."begunAtMs" - every_ms OR last."begunAtMs" > EXCLUDED."begunAtMs" + 60000
    RETURNING "begunAtMs"
$$;

-- The release before, whose processes may still run, asks so.
CREATE OR REPLACE FUNCTION begin_chore(chore text, every_ms bigint) RETURNS boolean LANGUAGE sql AS $$
  SELECT take_chore(chore, every_ms) IS NOT NULL
$$;

-- One of every shop holds all shops' turns, as for a claim: shops that it may have in hand are left for the next look.
CREATE OR REPLACE FUNCTION mend_line(until_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  shops text[];
  lost text[];
BEGIN
  IF NOT pg_try_advisory_xact_lock_shared(1330792775, 2) THEN RETURN 0; END IF;
  shops := ARRAY(SELECT DISTINCT "shop" FROM "Target" WHERE "state" = 'active' AND "dueAtMs" <= until_ms);
  lost := ARRAY(SELECT s."shop" FROM unnest(shops) AS s("shop") LEFT JOIN "ShopWork" line USING ("shop")
    WHERE (line."shop" IS NULL OR line."dueAtMs" > until_ms) AND pg_try_advisory_xact_lock(hashtextextended(s."shop", 0)));
  UPDATE "ShopWork" SET "servedAtMs" = 0 WHERE "shop" = ANY(lost) AND "servedAtMs" > until_ms + 120000;
  PERFORM put_in_line(lost);
  RETURN (SELECT count(*) FROM "ShopWork" WHERE "shop" = ANY(lost) AND "dueAtMs" <= until_ms);
END $$;
