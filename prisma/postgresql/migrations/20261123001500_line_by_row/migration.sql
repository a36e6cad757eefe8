-- The same line, kept row by row: a due time that changes costs a tenth of the time that it cost before.
DROP FUNCTION line_insert, line_update, line_delete CASCADE;

CREATE OR REPLACE FUNCTION next_turn(of_shop text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM "Target" WHERE "shop" = of_shop AND "leaseOwner" IS NOT NULL) >= 4 THEN
    RETURN (SELECT min("leaseUntilMs") FROM "Target" WHERE "shop" = of_shop AND "leaseOwner" IS NOT NULL);
  END IF;
  RETURN COALESCE(
    (SELECT min("dueAtMs") FROM "Target" WHERE "shop" = of_shop AND "state" = 'active' AND "dueAtMs" < 253402300799000), 253402300799000);
END $$;

CREATE OR REPLACE FUNCTION put_in_line(shops text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF shops IS NULL OR shops = '{}' THEN RETURN; END IF;
  INSERT INTO "ShopWork" AS line ("shop", "dueAtMs") SELECT "shop", next_turn("shop") FROM unnest(shops) AS "shop" ORDER BY "shop"
    ON CONFLICT ("shop") DO UPDATE SET "dueAtMs" = GREATEST(EXCLUDED."dueAtMs", line."servedAtMs")
    WHERE line."dueAtMs" <> GREATEST(EXCLUDED."dueAtMs", line."servedAtMs");
END $$;

-- Row by row, for the condition of a trigger costs next to nothing where no due time, state or lease changed. An erased shop has no place any
-- more, and a claim does this itself, with what else it writes there.
CREATE FUNCTION keep_in_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_shop text := CASE WHEN TG_OP = 'DELETE' THEN OLD."shop" ELSE NEW."shop" END;
  turn_ms bigint;
BEGIN
  IF current_setting('origen.claims', true) = 'yes' THEN RETURN NULL; END IF;
  turn_ms := next_turn(of_shop);
  UPDATE "ShopWork" SET "dueAtMs" = GREATEST(turn_ms, "servedAtMs")
    WHERE "shop" = of_shop AND "dueAtMs" <> GREATEST(turn_ms, "servedAtMs");
  IF NOT FOUND AND TG_OP = 'INSERT' THEN
    INSERT INTO "ShopWork" ("shop", "dueAtMs") VALUES (of_shop, turn_ms) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER keep_in_line AFTER INSERT OR DELETE ON "Target" FOR EACH ROW EXECUTE FUNCTION keep_in_line();
CREATE TRIGGER keep_in_line_changed AFTER UPDATE ON "Target" FOR EACH ROW
  WHEN ((OLD."dueAtMs", OLD."state", OLD."leaseOwner", OLD."leaseUntilMs") IS DISTINCT FROM (NEW."dueAtMs", NEW."state", NEW."leaseOwner", NEW."leaseUntilMs"))
  EXECUTE FUNCTION keep_in_line();
